import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { vi } from 'vitest'

/**
 * When the service looks after connections that were idle or do not answer, or whose plans are old, and when it records the
 * first use of a principal, depends on the machine.
 */
const upkeep = /^(select 1|discard plans)$|\binto principal_uses\b|\bfrom pg_stat_activity\b/

/** The statements that are sent meanwhile, in their order. */
export async function listStatements(run: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await run()
    await untilQuiet(query.mock)
    const sent = query.mock.calls.map(([statement], at) => ({ statement, client: query.mock.contexts[at] }))
    return sent
      .filter((one, at) => !sent.slice(0, at).some((earlier) => isRepetition(earlier, one)))
      .map(({ statement }) => textOf(statement))
      .filter((text) => !upkeep.test(text))
  } finally {
    query.mockRestore()
  }
}

type SentQueries = { results: readonly { value?: unknown }[] }

/** The second attempt of a slow read goes on after the first has answered, and must not be taken for what follows. */
async function untilQuiet(queries: SentQueries): Promise<void> {
  for (let known = -1; known !== queries.results.length; ) {
    known = queries.results.length
    await Promise.allSettled(queries.results.map(({ value }) => value))
    await setImmediate()
  }
}

export async function countStatements(run: () => Promise<unknown>): Promise<number> {
  return (await listStatements(run)).length
}

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text

type Sent = { statement: unknown; client: unknown }

/** A prepared read that is slow, as on a busy machine, is sent again, mostly on another connection. It is the same read. */
function isRepetition(earlier: Sent, { statement, client }: Sent): boolean {
  return (
    (earlier.client !== client || isPrepared(statement)) &&
    JSON.stringify(earlier.statement) === JSON.stringify(statement)
  )
}

const isPrepared = (statement: unknown) => typeof statement === 'object' && statement !== null && 'name' in statement

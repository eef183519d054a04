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
    const sent = query.mock.calls.map(([statement], at) => ({ statement, client: query.mock.contexts[at] }))
    return sent
      .filter((one, at) => !sent.slice(0, at).some((earlier) => isRepetition(earlier, one)))
      .map(({ statement }) => textOf(statement))
      .filter((text) => !upkeep.test(text))
  } finally {
    query.mockRestore()
  }
}

export async function countStatements(run: () => Promise<unknown>): Promise<number> {
  return (await listStatements(run)).length
}

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text

type Sent = { statement: unknown; client: unknown }

/** A read that is slow, as on a busy machine, is sent again on another connection. It is the same read. */
function isRepetition(earlier: Sent, { statement, client }: Sent): boolean {
  return earlier.client !== client && JSON.stringify(earlier.statement) === JSON.stringify(statement)
}

import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { vi } from 'vitest'

/**
 * When the service looks after connections that were idle, or whose plans are old, and when it records the first use of a
 * principal, depends on the machine.
 */
const upkeep = /^(select 1|discard plans)$|\binto principal_uses\b/

/** What runs because of the caller, unlike what the service does by itself meanwhile. */
export const causedByCaller = new AsyncLocalStorage<true>()

/** The statements that are sent because of the given work, in their order. */
export async function listStatements(run: () => Promise<unknown>): Promise<string[]> {
  const sent: Sent[] = []
  const send = pg.Client.prototype.query as (this: pg.Client, ...statement: unknown[]) => unknown
  const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...statement) {
    if (causedByCaller.getStore()) sent.push({ statement: statement[0], client: this })
    return send.apply(this, statement)
  })
  try {
    await causedByCaller.run(true, run)
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

type Sent = { statement: unknown; client: pg.Client }

/** A read that is slow, as on a busy machine, is sent again on another connection. It is the same read. */
function isRepetition(earlier: Sent, { statement, client }: Sent): boolean {
  return earlier.client !== client && JSON.stringify(earlier.statement) === JSON.stringify(statement)
}

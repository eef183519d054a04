import pg from 'pg'
import { vi } from 'vitest'

/** How often the service looks after connections that were idle, or whose plans are old, depends on the machine. */
const ofConnections = new Set(['select 1', 'discard plans'])

/** The statements that are sent meanwhile, in their order. */
export async function listStatements(run: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await run()
    return query.mock.calls.map(([statement]) => textOf(statement)).filter((text) => !ofConnections.has(text))
  } finally {
    query.mockRestore()
  }
}

export async function countStatements(run: () => Promise<unknown>): Promise<number> {
  return (await listStatements(run)).length
}

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text

import pg from 'pg'
import { vi } from 'vitest'

/** How many statements failed because two transactions waited for each other. The frame tries again, but a second late. */
export async function deadlocksDuring(work: () => Promise<unknown>): Promise<number> {
  const statements = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const outcomes = await Promise.allSettled(statements.mock.results.map(({ value }) => value as unknown))
  statements.mockRestore()
  return outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason.code === '40P01').length
}

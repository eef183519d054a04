import pg from 'pg'
import { vi } from 'vitest'

/** The number of statements that fail because of a deadlock. The framework retries the request, but a second later. */
export async function deadlocksDuring(work: () => Promise<unknown>): Promise<number> {
  const statements = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const outcomes = await Promise.allSettled(statements.mock.results.map(({ value }) => value as unknown))
  statements.mockRestore()
  return outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason.code === '40P01').length
}

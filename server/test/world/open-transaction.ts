import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { until } from '../database/embedded-postgres/muster.ts'

/** Does the work in a transaction that stays open until it is released so that others meet its locks. */
export async function openTransaction(db: Database, work: (tx: Database) => Promise<void>) {
  const began = Promise.withResolvers<number>()
  const released = Promise.withResolvers<void>()
  const ended = db.transaction().execute(async (tx) => {
    await work(tx)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    began.resolve(rows[0]?.pid ?? 0)
    await released.promise
  })
  ended.catch(began.reject)
  const pid = await began.promise
  return {
    /** Resolves when another transaction waits for this one. */
    untilAwaited: () =>
      until(async () => {
        const { rows } = await sql<{ awaited: boolean }>`
          select exists (select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))) as awaited`.execute(db)
        return rows[0]?.awaited || undefined
      }),
    /** Commits. */
    async release() {
      released.resolve()
      await ended
    },
  }
}

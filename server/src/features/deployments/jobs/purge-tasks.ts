import { sql } from 'kysely'
import { tryLockForTransaction } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'

const rowsAtOnce = 10_000
const tasksAtOnce = 100

/**
 * Deletes the tasks that ended before the retention period, in small transactions, and returns how many. While one node
 * purges, the others do nothing.
 */
export async function purgeTasks(db: Database, retentionDays: number, signal?: AbortSignal): Promise<number> {
  let purged = 0
  for (let isMore = true; isMore && !signal?.aborted; )
    isMore = await db.transaction().execute(async (transaction) => {
      if (!(await tryLockForTransaction(transaction, 'taskPurge'))) return false
      const { tasks, isWorkLeft } = await purgeSome(transaction, retentionDays)
      purged += tasks
      return isWorkLeft || tasks > 0
    })
  return purged
}

async function purgeSome(db: Database, retentionDays: number): Promise<{ tasks: number; isWorkLeft: boolean }> {
  // What is locked at the moment, because its computer or its group is being deleted, is left to the next purge.
  // Work is deleted before its task, in batches: deleting the task alone would cascade to millions of rows at once.
  const { rows } = await sql<{ id: string }>`
    select id from tasks
    where created_at < now() - make_interval(days => ${retentionDays})
      and not exists (select from work where task_id = tasks.id and closed_at is null offset 0)
      and not exists (select from sliced_activations where task_id = tasks.id and finished_at is null)
      and not exists (
        select from work
        where task_id = tasks.id and closed_at >= now() - make_interval(days => ${retentionDays}) offset 0)
    order by id limit ${tasksAtOnce}`.execute(db)
  if (rows.length === 0) return { tasks: 0, isWorkLeft: false }
  const ids = rows.map(({ id }) => id)
  const deleted = await sql`
    delete from work where id in (
      select id from work where task_id = any(${ids}::uuid[]) limit ${rowsAtOnce} for update skip locked)`.execute(db)
  if ((deleted.numAffectedRows ?? 0n) >= rowsAtOnce) return { tasks: 0, isWorkLeft: true }
  const { numAffectedRows = 0n } = await sql`
    delete from tasks where id in (
      select id from tasks
      where id = any(${ids}::uuid[]) and not exists (select from work where task_id = tasks.id offset 0)
      for update skip locked)`.execute(db)
  return { tasks: Number(numAffectedRows), isWorkLeft: false }
}

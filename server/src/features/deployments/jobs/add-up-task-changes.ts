import { sql } from 'kysely'
import { tryLockForTransaction } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'
import { failuresWithCause } from '../time-line/failure-groups.ts'

const rowsAtOnce = 50_000

/**
 * Adds up what triggers have recorded about the progress of tasks, in small transactions, and returns the number of rows
 * that this has saved. While one node does so, the others do nothing.
 */
export async function addUpTaskChanges(db: Database, signal?: AbortSignal): Promise<number> {
  let addedUp = 0
  for (let isMore = true; isMore && !signal?.aborted; ) {
    const rows = await db.transaction().execute(async (transaction) => {
      if (!(await tryLockForTransaction(transaction, 'taskChanges'))) return 0
      const tasks = await lockChangedTasks(transaction)
      if (tasks.length === 0) return 0
      return (await addUpCounts(transaction, tasks)) + (await addUpFailures(transaction, tasks))
    })
    addedUp += rows
    isMore = rows >= rowsAtOnce
  }
  return addedUp
}

/**
 * Locks the tasks with changes, because only a task that stays can have counts. Tasks that are being deleted are left to
 * the next run, which deletes the changes of those that are gone.
 */
async function lockChangedTasks(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tasks
    where id in (select task_id from task_count_changes union select task_id from task_failure_changes)
    order by id for key share skip locked`.execute(db)
  for (const table of ['task_count_changes', 'task_failure_changes'])
    await sql`delete from ${sql.table(table)} as change where not exists (select from tasks where id = change.task_id)`.execute(
      db,
    )
  return rows.map(({ id }) => id)
}

/** Deletes changes of the tasks, and returns them to the statement around it. Nobody else deletes or updates them. */
const takenFrom = (table: string, tasks: readonly string[]) => sql`
  delete from ${sql.table(table)} where ctid = any(array(
    select ctid from ${sql.table(table)} where task_id = any(${tasks}::uuid[]) limit ${rowsAtOnce}))
  returning *`

async function addUpCounts(db: Database, tasks: readonly string[]): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (${takenFrom('task_count_changes', tasks)}), added as (
      insert into task_counts as count
      select task_id, minute, sum(due), sum(leased), sum(success), sum(failed), sum(cancelled) from taken
      group by 1, 2 order by 1, 2
      on conflict on constraint task_counts_pkey do update set
        due = count.due + excluded.due, leased = count.leased + excluded.leased,
        success = count.success + excluded.success, failed = count.failed + excluded.failed,
        cancelled = count.cancelled + excluded.cancelled
    )
    select count(*)::integer as taken from taken`.execute(db)
  return rows[0]?.taken ?? 0
}

async function addUpFailures(db: Database, tasks: readonly string[]): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (${takenFrom('task_failure_changes', tasks)}), added as (
      insert into task_failures as failure
      select task_id, exit_code, cause, count(*), count(*) filter (where is_final), max(work_id)
      from (${failuresWithCause(sql`select * from taken`)}) as failed
      group by 1, 2, 3 order by 1, 2, 3
      on conflict on constraint task_failures_key do update set
        failures = failure.failures + excluded.failures,
        final_failures = failure.final_failures + excluded.final_failures,
        example_work_id = excluded.example_work_id
    )
    select count(*)::integer as taken from taken`.execute(db)
  return rows[0]?.taken ?? 0
}

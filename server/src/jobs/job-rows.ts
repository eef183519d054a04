import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

export type JobResult = { status: 'Success' | 'Failed'; message: string; packageId?: string }

/** Another attempt has taken over, or the job has ended. */
export class AttemptLost extends Error {
  override name = 'AttemptLost'
}

const retentionDays = 30

/** Counts the attempt and makes it the one that may write. Returns undefined if the job has ended. */
export async function startAttempt(db: Database, id: string, attemptId: string) {
  return db
    .updateTable('background_jobs')
    .set(({ eb, fn, val }) => ({
      status: 'Running',
      attempts: eb('attempts', '+', 1),
      attempt_id: attemptId,
      progress: 0,
      message: null,
      started_at: fn.coalesce('started_at', val(new Date())),
    }))
    .where('id', '=', id)
    .where('status', 'in', ['Pending', 'Running'])
    .returning(['attempts', 'input', 'queue', 'traceparent'])
    .executeTakeFirst()
}

/** Locks the job so that no other attempt can start until the transaction ends. */
export async function lockAttempt(db: Database, id: string, attemptId: string): Promise<void> {
  const locked = await db
    .selectFrom('background_jobs')
    .select('id')
    .where('id', '=', id)
    .where('attempt_id', '=', attemptId)
    .where('status', '=', 'Running')
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw new AttemptLost('Another attempt has taken over.')
}

export async function endJob(
  db: Database,
  id: string,
  attemptId: string,
  { status, message, packageId }: JobResult,
): Promise<void> {
  await db
    .updateTable('background_jobs')
    .set({
      status,
      message,
      finished_at: sql`now()`,
      ...(status === 'Success' && { progress: 100 }),
      ...(packageId && { package_id: packageId }),
    })
    .where('id', '=', id)
    .where('attempt_id', '=', attemptId)
    .execute()
  await sql`
    delete from background_jobs where finished_at < now() - make_interval(days => ${retentionDays})`.execute(db)
}

/** What `returnToQueue` writes about an attempt. `message` is for users: what the job waits for. */
export type ReturnedAttempt = { isCounted: boolean; message: string | null }

/** Makes the job pending again. An attempt that does not count is uncounted even if another one has taken over since. */
export async function returnToQueue(
  db: Database,
  id: string,
  attemptId: string,
  { isCounted, message }: ReturnedAttempt,
): Promise<void> {
  await sql`
    update background_jobs set
      attempts = greatest(attempts - ${isCounted ? 0 : 1}::integer, 0),
      status = case when attempt_id = ${attemptId} then 'Pending' else status end,
      message = case when attempt_id = ${attemptId} then ${message} else message end
    where id = ${id} and status in ('Pending', 'Running')`.execute(db)
}

/** Whether a job waits or runs, on any node. */
export async function hasUnfinishedJobs(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from background_jobs where status in ('Pending', 'Running') limit 1`.execute(db)
  return rows.length > 0
}

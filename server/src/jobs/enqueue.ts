import { sql } from 'kysely'
import { fromKysely, PgBoss, type SendOptions } from 'pg-boss'
import type { Database } from '../database/connect.ts'
import type { JobStarter } from './job-starter.ts'
import type { JobQueue } from './queues.ts'

export type NewJob = {
  queue: JobQueue
  /** What the job works on, as shown to users. */
  subject: string
  /** The input of its handler. */
  input: object
  packageId?: string
  /** Unless the service itself starts the job. If the principal loses its right, the job has no effect. */
  startedBy?: JobStarter
}

// run-attempt.ts decides how often a job is attempted. For pg-boss there is no limit: a job must outlast any shortage.
const options: SendOptions = {
  retryLimit: 2 ** 31 - 1,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  // A missing heartbeat reveals a lost node long before this.
  expireInSeconds: 24 * 3600,
  heartbeatSeconds: 10,
  retentionSeconds: 365 * 24 * 3600,
}

/** Enqueues a job in the transaction of the caller, so the job exists only after its commit. Returns its tracking id. */
export async function enqueue(db: Database, { queue, ...job }: NewJob): Promise<string> {
  const [id] = await enqueueAll(db, queue, [job])
  if (id === undefined) throw new Error('The job was not enqueued.')
  return id
}

/** Enqueues jobs of one queue like `enqueue`, in a number of statements that does not depend on their number. */
export async function enqueueAll(
  db: Database,
  queue: JobQueue,
  jobs: readonly Omit<NewJob, 'queue'>[],
): Promise<string[]> {
  if (jobs.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    insert into background_jobs (queue, subject, input, package_id, principal_id, required_role)
    select ${queue}, subject, input, "packageId", ("startedBy" ->> 'principalId')::integer, "startedBy" ->> 'role'
    from rows from (
      jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb)
        as (subject text, input jsonb, "packageId" uuid, "startedBy" jsonb)
    ) with ordinality as job (subject, input, "packageId", "startedBy", position)
    order by position
    returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  // This instance is never started, so all its statements run in the transaction.
  const boss = new PgBoss({ db: fromKysely(db), migrate: false })
  await boss.insert(
    queue,
    ids.map((id) => ({ ...options, id })),
  )
  return ids
}

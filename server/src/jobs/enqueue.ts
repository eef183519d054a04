import { fromKysely, PgBoss, type SendOptions } from 'pg-boss'
import type { Database } from '../database/connect.ts'
import type { JobQueue } from './queues.ts'

export type NewJob = {
  queue: JobQueue
  /** What the job works on, as shown to users. */
  subject: string
  /** The input of its handler. */
  input: object
  packageId?: string
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
export async function enqueue(db: Database, { queue, subject, input, packageId }: NewJob): Promise<string> {
  const { id } = await db
    .insertInto('background_jobs')
    .values({ queue, subject, input: JSON.stringify(input), package_id: packageId ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  // This instance is never started, so all its statements run in the transaction.
  const boss = new PgBoss({ db: fromKysely(db), migrate: false })
  await boss.send(queue, null, { ...options, id })
  return id
}

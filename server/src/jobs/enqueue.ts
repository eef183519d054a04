import { fromKysely, PgBoss, type SendOptions } from 'pg-boss'
import type { Database } from '../database/connect.ts'
import type { QueueName } from './queues.ts'

export type NewJob = {
  queue: QueueName
  /** What it works on, in words for people. */
  subject: string
  /** What its handler gets. */
  input: object
  packageId?: string
}

// How often a job is tried is decided by run-attempt.ts; for pg-boss it is as good as always.
const options: SendOptions = {
  retryLimit: 1_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  // A node that is gone is noticed by its missing heartbeat, long before.
  expireInSeconds: 24 * 3600,
  heartbeatSeconds: 10,
  retentionSeconds: 365 * 24 * 3600,
}

/** Hands a job over in the transaction of the caller: without its commit there is no job. Returns its tracking id. */
export async function enqueue(db: Database, { queue, subject, input, packageId }: NewJob): Promise<string> {
  const { id } = await db
    .insertInto('background_jobs')
    .values({ queue, subject, input: JSON.stringify(input), package_id: packageId ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  // One that is never started, so that all its statements run on the transaction.
  const boss = new PgBoss({ db: fromKysely(db), migrate: false })
  await boss.send(queue, null, { ...options, id })
  return id
}

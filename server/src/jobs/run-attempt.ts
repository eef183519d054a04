import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Configuration } from '../platform/configuration.ts'

/** The input of a job handler and the functions with which it reports progress and result. */
export type JobAttempt = {
  id: string
  input: unknown
  db: Database
  configuration: Configuration
  /** Aborted when the service stops or another attempt has taken over. */
  signal: AbortSignal
  /** Reports the completed share of the work, from 0 to 1. Cheap enough to be called often. */
  progress(share: number): void
  /** Writes the result and ends the job in one transaction, so that both happen once or not at all. */
  finish(write: (db: Database) => Promise<JobResult>): Promise<void>
}

export type JobResult = { status: 'Success' | 'Failed'; message: string; packageId?: string }

export type JobHandler = (attempt: JobAttempt) => Promise<void>

/** Ends the job as failed, with a message for users. Another attempt would fail again, so there is none. */
export class JobFailure extends Error {
  override name = 'JobFailure'
}

/** Another attempt has taken over, or the job has ended. */
class AttemptLost extends Error {
  override name = 'AttemptLost'
}

export type JobContext = { db: Database; configuration: Configuration; logger: FastifyBaseLogger }

const maxAttempts = 3
const progressIntervalMs = 1_000
const retentionDays = 30

/** Runs one attempt at a job. Throws if the job should be attempted again. */
export async function runAttempt(
  context: JobContext,
  handle: JobHandler,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, configuration, logger } = context
  const attemptId = randomUUID()
  const started = await startAttempt(db, id, attemptId)
  // The job has ended. The service stopped after writing its result and before notifying pg-boss.
  if (!started) return
  if (started.attempts > maxAttempts)
    return endJob(db, id, attemptId, failedResult(`The job was interrupted in each of ${maxAttempts} attempts.`))
  const progress = progressWriter(context, id, attemptId)
  try {
    await handle({
      id,
      input: started.input,
      db,
      configuration,
      signal,
      progress: progress.report,
      async finish(write) {
        signal.throwIfAborted()
        await progress.flush()
        await db.transaction().execute(async (transaction) => {
          await lockAttempt(transaction, id, attemptId)
          await endJob(transaction, id, attemptId, await write(transaction))
        })
      },
    })
  } catch (error) {
    await progress.flush()
    if (error instanceof AttemptLost) return
    if (error instanceof JobFailure) return endJob(db, id, attemptId, failedResult(error.message))
    if (!signal.aborted) logger.error({ err: error, job: id }, 'An attempt at a background job failed.')
    if (!signal.aborted && started.attempts === maxAttempts)
      return endJob(
        db,
        id,
        attemptId,
        failedResult('The job failed because of an error in the service. See the log of the service.'),
      )
    await returnToQueue(db, id, attemptId, signal.aborted)
    throw error
  }
}

const failedResult = (message: string): JobResult => ({ status: 'Failed', message })

async function startAttempt(db: Database, id: string, attemptId: string) {
  return db
    .updateTable('background_jobs')
    .set(({ eb, fn, val }) => ({
      status: 'Running',
      attempts: eb('attempts', '+', 1),
      attempt_id: attemptId,
      progress: 0,
      started_at: fn.coalesce('started_at', val(new Date())),
    }))
    .where('id', '=', id)
    .where('status', 'in', ['Pending', 'Running'])
    .returning(['attempts', 'input'])
    .executeTakeFirst()
}

/** Locks the job, so that no other attempt can start until the transaction ends. */
async function lockAttempt(db: Database, id: string, attemptId: string): Promise<void> {
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

async function endJob(
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

/** An attempt that ended because the service stopped does not count. */
async function returnToQueue(db: Database, id: string, attemptId: string, isServiceStop: boolean): Promise<void> {
  await db
    .updateTable('background_jobs')
    .set(({ eb }) => ({ status: 'Pending', ...(isServiceStop && { attempts: eb('attempts', '-', 1) }) }))
    .where('id', '=', id)
    .where('attempt_id', '=', attemptId)
    .where('status', '=', 'Running')
    .execute()
}

/** Writes the progress at most once a second, one write at a time. */
function progressWriter({ db, logger }: JobContext, id: string, attemptId: string) {
  let lastReport = performance.now()
  let writing = Promise.resolve()
  return {
    report(share: number): void {
      const now = performance.now()
      if (now - lastReport < progressIntervalMs) return
      lastReport = now
      writing = db
        .updateTable('background_jobs')
        .set({ progress: Math.floor(Math.min(Math.max(share, 0), 1) * 100) })
        .where('id', '=', id)
        .where('attempt_id', '=', attemptId)
        .where('status', '=', 'Running')
        .execute()
        .then(
          () => undefined,
          (error: unknown) => logger.warn({ err: error, job: id }, 'The progress of a job could not be written.'),
        )
    },
    flush: () => writing,
  }
}

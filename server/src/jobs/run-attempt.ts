import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Configuration } from '../platform/configuration.ts'

/** What a job works with, and how it tells what came out of it. */
export type JobAttempt = {
  id: string
  input: unknown
  db: Database
  configuration: Configuration
  /** Aborted when the service stops, and when another attempt has taken over. */
  signal: AbortSignal
  /** Tells which part of the work is done, from 0 to 1. Cheap enough to be called often. */
  progress(share: number): void
  /** Writes the result and ends the job in one transaction, so that it happens once or not at all. */
  finish(write: (db: Database) => Promise<JobResult>): Promise<void>
}

export type JobResult = { status: 'Success' | 'Failed'; message: string; packageId?: string }

export type JobHandler = (attempt: JobAttempt) => Promise<void>

/** Ends the job as failed, with a message for people. It is not tried again: it would fail again. */
export class JobFailure extends Error {
  override name = 'JobFailure'
}

/** Another attempt has taken over, or the job is over. */
class AttemptLost extends Error {
  override name = 'AttemptLost'
}

export type JobContext = { db: Database; configuration: Configuration; logger: FastifyBaseLogger }

const mostAttempts = 3
const msBetweenReports = 1_000
const retentionDays = 30

/** One attempt at a job. It throws when the job should be tried again. */
export async function runAttempt(
  context: JobContext,
  handle: JobHandler,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, configuration, logger } = context
  const attemptId = randomUUID()
  const begun = await begin(db, id, attemptId)
  // It is over: the service ended between its result and the word to pg-boss.
  if (!begun) return
  if (begun.attempts > mostAttempts)
    return end(db, id, attemptId, failed(`It was tried ${mostAttempts} times, and interrupted each time.`))
  const progress = progressReports(context, id, attemptId)
  try {
    await handle({
      id,
      input: begun.input,
      db,
      configuration,
      signal,
      progress: progress.report,
      async finish(write) {
        signal.throwIfAborted()
        await progress.settled()
        await db.transaction().execute(async (transaction) => {
          await lockAttempt(transaction, id, attemptId)
          await end(transaction, id, attemptId, await write(transaction))
        })
      },
    })
  } catch (error) {
    await progress.settled()
    if (error instanceof AttemptLost) return
    if (error instanceof JobFailure) return end(db, id, attemptId, failed(error.message))
    if (!signal.aborted) logger.error({ err: error, job: id }, 'A background job was interrupted.')
    if (!signal.aborted && begun.attempts === mostAttempts)
      return end(db, id, attemptId, failed('The service failed. Its log has the cause.'))
    await giveBack(db, id, attemptId, signal.aborted)
    throw error
  }
}

const failed = (message: string): JobResult => ({ status: 'Failed', message })

async function begin(db: Database, id: string, attemptId: string) {
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

/** Until the transaction ends, no other attempt can begin. */
async function lockAttempt(db: Database, id: string, attemptId: string): Promise<void> {
  const held = await db
    .selectFrom('background_jobs')
    .select('id')
    .where('id', '=', id)
    .where('attempt_id', '=', attemptId)
    .where('status', '=', 'Running')
    .forUpdate()
    .executeTakeFirst()
  if (!held) throw new AttemptLost('Another attempt has taken over.')
}

async function end(
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

/** A stop of the service is nobody's fault, so that the attempt does not count. */
async function giveBack(db: Database, id: string, attemptId: string, isStop: boolean): Promise<void> {
  await db
    .updateTable('background_jobs')
    .set(({ eb }) => ({ status: 'Pending', ...(isStop && { attempts: eb('attempts', '-', 1) }) }))
    .where('id', '=', id)
    .where('attempt_id', '=', attemptId)
    .where('status', '=', 'Running')
    .execute()
}

/** Writes the progress at most once a second, one write at a time. */
function progressReports({ db, logger }: JobContext, id: string, attemptId: string) {
  let lastReport = performance.now()
  let writing = Promise.resolve()
  return {
    report(share: number): void {
      const now = performance.now()
      if (now - lastReport < msBetweenReports) return
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
    settled: () => writing,
  }
}

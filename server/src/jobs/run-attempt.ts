import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Configuration } from '../platform/configuration.ts'
import type { JobContext } from './job-context.ts'
import { AttemptLost, endJob, type JobResult, lockAttempt, returnToQueue, startAttempt } from './job-rows.ts'
import { findStarterFault } from './job-starter.ts'
import { traceJob } from './trace-job.ts'
import { findTransientReason } from './transient-errors.ts'

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
  /** Adds a sentence to the log of the job, which users read while it runs. */
  log(text: string): void
  /**
   * Throws if the principal that started the job has lost its right. `finish` does so itself; call it in other
   * transactions that write.
   */
  requireStarter(db: Database): Promise<void>
  /** Writes the result and ends the job in one transaction so that both happen once or not at all. */
  finish(write: (db: Database) => Promise<JobResult>): Promise<void>
}

export type JobHandler = (attempt: JobAttempt) => Promise<void>

/** Ends the job as failed, with a message for users. Another attempt would fail again, so there is none. */
export class JobFailure extends Error {
  override name = 'JobFailure'
}

/**
 * Returns the job to its queue, with a message for users. It is attempted again after a delay that grows, and the attempt
 * does not count: the handler decides when to end the job.
 */
export class JobInterruption extends Error {
  override name = 'JobInterruption'
}

const maxAttempts = 3
const progressIntervalMs = 1_000
const minWriteDelayMs = 100
const maxWriteDelayMs = 5_000

/** Runs one attempt at a job. Throws if the job should be attempted again. */
export async function runAttempt(
  context: JobContext,
  handle: JobHandler,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { db } = context
  const attemptId = randomUUID()
  const started = await startAttempt(db, id, attemptId)
  // The job has ended. The service stopped after writing its result and before notifying pg-boss.
  if (!started) return
  if (started.attempts > maxAttempts)
    return endJob(db, id, attemptId, failedResult(`The job was interrupted in each of ${maxAttempts} attempts.`))
  const attempt = { id, attemptId, attempts: started.attempts, signal }
  await traceJob(context, started, (traced) => carryOut(traced, handle, attempt, started.input))
}

async function carryOut(context: JobContext, handle: JobHandler, attempt: Attempt, input: unknown): Promise<void> {
  const { db, configuration } = context
  const { id, attemptId, signal } = attempt
  const progress = progressWriter(context, id, attemptId)
  const requireStarter = async (db: Database) => {
    const fault = await findStarterFault(db, id)
    if (fault) throw new JobFailure(fault)
  }
  try {
    await requireStarter(db)
    await handle({
      id,
      input,
      db,
      configuration,
      signal,
      progress: progress.report,
      log: progress.log,
      requireStarter,
      async finish(write) {
        signal.throwIfAborted()
        await progress.flush()
        await db.transaction().execute(async (transaction) => {
          await lockAttempt(transaction, id, attemptId)
          await requireStarter(transaction)
          await endJob(transaction, id, attemptId, await write(transaction))
        })
      },
    })
  } catch (error) {
    await progress.flush()
    await recordFailedAttempt(context, attempt, error)
  }
}

type Attempt = { id: string; attemptId: string; attempts: number; signal: AbortSignal }

/** Ends the job, or returns it to its queue and throws the error so that pg-boss attempts it again after a delay. */
async function recordFailedAttempt(context: JobContext, attempt: Attempt, error: unknown): Promise<void> {
  const { db, logger } = context
  const { id, attemptId, attempts, signal } = attempt
  if (error instanceof AttemptLost) return
  const reason = findTransientReason(error) ?? (error instanceof JobInterruption ? error.message : undefined)
  if (!reason && error instanceof JobFailure)
    return writeOutcome(() => endJob(db, id, attemptId, failedResult(error.message)), signal)
  const isInterrupted = signal.aborted || reason !== undefined
  if (reason) logger.warn({ err: error, job: id }, 'An attempt at a background job was interrupted.')
  else if (!signal.aborted) logger.error({ err: error, job: id }, 'An attempt at a background job failed.')
  if (!isInterrupted && attempts >= maxAttempts) {
    const message = 'The job failed because of an error in the service. See the log of the service.'
    return writeOutcome(() => endJob(db, id, attemptId, failedResult(message)), signal)
  }
  const message = reason ? `${reason} The job is attempted again automatically.` : null
  await writeOutcome(() => returnToQueue(db, id, attemptId, { isCounted: !isInterrupted, message }), signal)
  throw error
}

/**
 * Repeats a write until the shortage that prevents it is over. Otherwise the attempt would look like a crash of the
 * service, and after a few of them the job would fail. If the service ends first, the missing heartbeat reveals it.
 */
async function writeOutcome(write: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let delay = minWriteDelayMs; ; delay = Math.min(delay * 2, maxWriteDelayMs)) {
    try {
      return await write()
    } catch (error) {
      if (signal.aborted || !findTransientReason(error)) throw error
    }
    await sleep(delay, undefined, { signal }).catch(() => undefined)
  }
}

const failedResult = (message: string): JobResult => ({ status: 'Failed', message })

/**
 * Writes the progress and the lines of the log at most once a second, and the last lines with `flush`. So a short job costs
 * one statement more, and not one for each line.
 */
function progressWriter({ db, logger }: JobContext, id: string, attemptId: string) {
  let lastWrite = performance.now()
  let progress: number | undefined
  let lines: { atUtc: string; text: string }[] = []
  let writing = Promise.resolve()
  const writePending = async () => {
    if (progress === undefined && lines.length === 0) return
    const values = {
      ...(progress !== undefined && { progress }),
      log: sql<string>`log || ${JSON.stringify(lines)}::jsonb`,
    }
    progress = undefined
    lines = []
    await db
      .updateTable('background_jobs')
      .set(values)
      .where('id', '=', id)
      .where('attempt_id', '=', attemptId)
      .where('status', '=', 'Running')
      .execute()
  }
  const flush = () => {
    lastWrite = performance.now()
    writing = writing
      .then(writePending)
      .catch((error: unknown) => logger.warn({ err: error, job: id }, 'The progress of a job could not be written.'))
    return writing
  }
  const isDue = () => performance.now() - lastWrite >= progressIntervalMs
  return {
    report(share: number): void {
      if (!isDue()) return
      progress = Math.floor(Math.min(Math.max(share, 0), 1) * 100)
      void flush()
    },
    log(text: string): void {
      lines.push({ atUtc: new Date().toISOString(), text })
      if (isDue()) void flush()
    },
    flush,
  }
}

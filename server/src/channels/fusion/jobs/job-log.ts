import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { leaseSeconds } from '../../../features/deployments/lease.ts'
import { type Plan, secondsOf } from './job-plan.ts'

export type OpenJob = { id: string; workId: number; attempt: number; deviceId: number; plan: Plan }

/** What is said about a job while it runs. */
export type JobWords = { lines: string[]; exitCodes: Record<string, number>; percent: number }

type Buffered = { job: OpenJob; words: JobWords; timer: NodeJS.Timeout }

/** Collects what agents say about their jobs, line by line, and writes it together. */
export type JobLog = {
  add(job: OpenJob, words: Partial<JobWords>): void
  /** What was said and is not written yet, for a writer who takes it along. */
  take(job: OpenJob): JobWords
  close(): Promise<void>
}

const longestWait = 1000
const longestOutput = 65_536

export function openJobLog(db: Database, onError: (error: unknown) => void): JobLog {
  const buffers = new Map<string, Buffered>()
  const writing = new Set<Promise<void>>()
  function flush(id: string): void {
    const buffered = buffers.get(id)
    if (!buffered) return
    buffers.delete(id)
    const done = writeWords(db, buffered.job, buffered.words)
      .catch(onError)
      .finally(() => writing.delete(done))
    writing.add(done)
  }
  return {
    add(job, { lines = [], exitCodes = {}, percent = 0 }) {
      const buffered = buffers.get(job.id) ?? {
        job,
        words: { lines: [], exitCodes: {}, percent: 0 },
        timer: setTimeout(() => flush(job.id), longestWait),
      }
      buffers.set(job.id, buffered)
      buffered.words.lines.push(...lines)
      Object.assign(buffered.words.exitCodes, exitCodes)
      buffered.words.percent = Math.max(buffered.words.percent, percent)
    },
    take({ id }) {
      const buffered = buffers.get(id)
      if (!buffered) return { lines: [], exitCodes: {}, percent: 0 }
      clearTimeout(buffered.timer)
      buffers.delete(id)
      return buffered.words
    },
    async close() {
      for (const { job, timer } of [...buffers.values()]) {
        clearTimeout(timer)
        flush(job.id)
      }
      await Promise.all(writing)
    },
  }
}

/** The lease lasts as long as its commands may run, because agents say nothing meanwhile. */
export async function writeWords(db: Database, job: OpenJob, words: JobWords): Promise<void> {
  const text = words.lines.map((line) => `${line}\n`).join('')
  await sql`
    with job as (
      update fusion_jobs set output = right(output || ${text}, ${sql.lit(longestOutput)}),
        exit_codes = exit_codes || ${JSON.stringify(words.exitCodes)}::jsonb
      where id = ${job.id}
    )
    update work set progress = greatest(progress, ${words.percent}::integer),
      leased_until = now() + ${leaseSeconds + secondsOf(job.plan)} * interval '1 second'
    where id = ${job.workId} and state = 'Leased' and attempt = ${job.attempt}`.execute(db)
}

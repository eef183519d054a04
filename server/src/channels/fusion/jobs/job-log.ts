import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { leaseSeconds } from '../../../features/deployments/lease.ts'
import { type JobPlan, maxSilenceSeconds } from './job-plan.ts'

export type OpenJob = { id: string; workId: number; attempt: number; deviceId: number; plan: JobPlan }

/** What an agent reports about a job while it runs. */
export type JobOutput = { lines: string[]; exitCodes: Record<string, number>; percent: number }

type Buffered = { job: OpenJob; output: JobOutput; timer: NodeJS.Timeout }

/** Buffers the output of jobs, which agents report line by line, and writes it in batches. */
export type JobLog = {
  add(job: OpenJob, output: Partial<JobOutput>): void
  /** Removes and returns the output that is not written yet, for a caller that writes it in its own transaction. */
  take(job: OpenJob): JobOutput
  close(): Promise<void>
}

const maxDelayMs = 1000
const maxOutputLength = 65_536

export function openJobLog(db: Database, onError: (error: unknown) => void): JobLog {
  const buffers = new Map<string, Buffered>()
  const writing = new Set<Promise<void>>()
  function flush(id: string): void {
    const buffered = buffers.get(id)
    if (!buffered) return
    buffers.delete(id)
    const done = recordJobOutput(db, buffered.job, buffered.output)
      .catch(onError)
      .finally(() => writing.delete(done))
    writing.add(done)
  }
  return {
    add(job, { lines = [], exitCodes = {}, percent = 0 }) {
      const buffered = buffers.get(job.id) ?? {
        job,
        output: { lines: [], exitCodes: {}, percent: 0 },
        timer: setTimeout(() => flush(job.id), maxDelayMs),
      }
      buffers.set(job.id, buffered)
      buffered.output.lines.push(...lines)
      Object.assign(buffered.output.exitCodes, exitCodes)
      buffered.output.percent = Math.max(buffered.output.percent, percent)
    },
    take({ id }) {
      const buffered = buffers.get(id)
      if (!buffered) return { lines: [], exitCodes: {}, percent: 0 }
      clearTimeout(buffered.timer)
      buffers.delete(id)
      return buffered.output
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

/** Appends output to a job and extends its lease by the time that its commands may run, as agents are silent meanwhile. */
export async function recordJobOutput(db: Database, job: OpenJob, output: JobOutput): Promise<void> {
  const text = output.lines.map((line) => `${line}\n`).join('')
  await sql`
    with item as materialized (
      select id from work where id = ${job.workId} for no key update
    ), job as (
      update fusion_jobs set output = right(output || ${text}, ${sql.lit(maxOutputLength)}),
        exit_codes = exit_codes || ${JSON.stringify(output.exitCodes)}::jsonb
      from item where fusion_jobs.id = ${job.id}
    )
    update work set progress = greatest(progress, ${output.percent}::integer),
      leased_until = now() + ${leaseSeconds + maxSilenceSeconds(job.plan)} * interval '1 second'
    from item where work.id = item.id and state = 'Leased' and attempt = ${job.attempt}`.execute(db)
}

import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { leaseSeconds } from '../../../features/deployments/lease.ts'
import { type JobPlan, maxSilenceSeconds } from './job-plan.ts'

export type OpenJob = { id: string; workId: number; attempt: number; deviceId: number; plan: JobPlan }

/** What an agent reports about a job while it runs. */
export type JobOutput = { line: string | null; exitCodes: Record<string, number>; percent: number }

/** Of all output, the end matters. Agents send 200 lines for each command, and one for each file that they place. */
const maxLines = 1_024
const maxOutputLength = 65_536
/** Lines follow each other quickly, and not every one of them has to extend the lease. */
const leaseToleranceSeconds = 10

/**
 * Appends output to a job and extends its lease by the time that its commands may run, as agents are silent meanwhile.
 * Agents report line by line, each with a connection of its own: the next line may reach another process, and the result
 * depends on the codes of all of them. So nothing is kept in memory, and each line is a row: a line must not cost a copy of all
 * lines before it. Nothing is stored if no result of this attempt is expected any more.
 */
export async function recordJobOutput(db: Database, job: OpenJob, output: JobOutput): Promise<void> {
  const { line, exitCodes, percent } = output
  const hasNews = line !== null || Object.keys(exitCodes).length > 0
  const lease = leaseSeconds + maxSilenceSeconds(job.plan)
  await sql`
    with item as materialized (
      select id from work where id = ${job.workId} and attempt = ${job.attempt} and (state = 'Leased' or run_id is not null)
      for no key update
    ), job as (
      update fusion_jobs set line_count = line_count + ${line === null ? 0 : 1}::integer,
        exit_codes = exit_codes || ${JSON.stringify(exitCodes)}::jsonb
      from item where fusion_jobs.id = ${job.id} and ${hasNews}::boolean
      returning fusion_jobs.id, line_count
    ), added as (
      insert into fusion_job_lines (job_id, position, line)
      select id, line_count, ${line}::text from job where ${line}::text is not null
    ), dropped as (
      delete from fusion_job_lines old using job
      where old.job_id = job.id and old.position <= job.line_count - ${sql.lit(maxLines)}
    )
    update work set progress = greatest(progress, ${percent}::integer),
      leased_until = now() + ${lease} * interval '1 second'
    from item where work.id = item.id and state = 'Leased'
      and (progress < ${percent} or leased_until < now() + ${lease - leaseToleranceSeconds} * interval '1 second')`.execute(
    db,
  )
}

/** The output and the exit codes of a job that has ended. The result keeps them, so the lines are deleted. */
export async function takeJobOutput(
  db: Database,
  { id }: OpenJob,
): Promise<{ output: string; exitCodes: Record<string, number> }> {
  const { rows } = await sql<{ output: string; exitCodes: Record<string, number> }>`
    with taken as (
      delete from fusion_job_lines where job_id = ${id} returning position, line
    )
    select exit_codes as "exitCodes",
      right(coalesce((select string_agg(line || E'\\n', '' order by position) from taken), ''),
        ${sql.lit(maxOutputLength)}) as output
    from fusion_jobs where id = ${id}`.execute(db)
  const [taken] = rows
  if (!taken) throw new Error(`The job ${id} does not exist.`)
  return taken
}

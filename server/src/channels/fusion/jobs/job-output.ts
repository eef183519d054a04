import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { leaseSeconds } from '../../../features/deployments/lease.ts'
import { type JobPlan, maxSilenceSeconds } from './job-plan.ts'

export type OpenJob = { id: string; workId: number; attempt: number; deviceId: number; plan: JobPlan }

/** What an agent reports about a job while it runs. */
export type JobOutput = { lines: string[]; exitCodes: Record<string, number>; percent: number }

const maxOutputLength = 65_536
/** Lines follow each other quickly, and not every one of them has to extend the lease. */
const leaseToleranceSeconds = 10

/**
 * Appends output to a job and extends its lease by the time that its commands may run, as agents are silent meanwhile.
 * Agents report line by line, each with a connection of its own: the next line may reach another process, and the result
 * depends on the codes of all of them. So nothing is kept in memory.
 */
export async function recordJobOutput(db: Database, job: OpenJob, output: JobOutput): Promise<void> {
  const text = output.lines.map((line) => `${line}\n`).join('')
  const lease = leaseSeconds + maxSilenceSeconds(job.plan)
  await sql`
    with item as materialized (
      select id from work where id = ${job.workId} for no key update
    ), job as (
      update fusion_jobs set output = right(output || ${text}, ${sql.lit(maxOutputLength)}),
        exit_codes = exit_codes || ${JSON.stringify(output.exitCodes)}::jsonb
      from item where fusion_jobs.id = ${job.id}
    )
    update work set progress = greatest(progress, ${output.percent}::integer),
      leased_until = now() + ${lease} * interval '1 second'
    from item where work.id = item.id and state = 'Leased' and attempt = ${job.attempt}
      and (progress < ${output.percent} or leased_until < now() + ${lease - leaseToleranceSeconds} * interval '1 second')`.execute(
    db,
  )
}

import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { failureCauseOf } from '../failures/failure-causes.ts'
import type { TaskIds } from './work-counts.ts'

export type FailureExample = { workId: number; clientId: number; hostname: string; output: string }

/** Failures with the same exit code and the same cause. */
export type FailureGroup = {
  exitCode: number | null
  cause: string
  failures: number
  failed: number
  /** Null if the computer of the example was deleted. */
  example: FailureExample | null
}

const maxGroups = 50
const maxOutputLength = 4_000

/**
 * One row for each failure of `source`, which has the columns of `task_failure_changes`, with its cause. The cause is
 * found here and not when the failure is reported so that agents do not wait for it.
 */
export function failuresWithCause(source: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select change.task_id, change.work_id, error.exit_code, change.is_final,
      case when error.id is null then left(change.error_text, 200) else ${failureCauseOf(sql<string>`error.output`)} end as cause
    from (${source}) as change left join setup_errors error on error.id = change.setup_error_id
    where error.id is not null or change.error_text is not null`
}

/** Lists the failures of the tasks by their cause, the most frequent first, each with the output of one example. */
export async function listFailureGroups(db: Database, tasks: TaskIds): Promise<FailureGroup[]> {
  const recent = sql`select * from task_failure_changes where task_id in (${tasks})`
  const { rows } = await sql<FailureGroup>`
    with failure as (
      select exit_code, cause, failures, final_failures, example_work_id from task_failures where task_id in (${tasks})
      union all
      select exit_code, cause, 1, is_final::integer, work_id from (${failuresWithCause(recent)}) as recent
    ), grouped as (
      select exit_code, cause, sum(failures)::integer as failures, sum(final_failures)::integer as failed,
        max(example_work_id) as work_id
      from failure group by 1, 2 order by 3 desc, 1, 2 limit ${maxGroups}
    )
    select grouped.exit_code as "exitCode", cause, grouped.failures, grouped.failed, case when computers.id is not null then jsonb_build_object(
        'workId', work.id, 'clientId', computers.id, 'hostname', computers.name,
        'output', coalesce(error.output, cause)) end as example
    from grouped
      left join work on work.id = grouped.work_id
      left join computers on computers.id = work.computer_id
      left join lateral (
        select left(output, ${maxOutputLength}) as output from setup_errors e
        where e.computer_id = work.computer_id and e.work_id = work.id
          and e.exit_code is not distinct from grouped.exit_code
        order by e.id desc limit 1
      ) as error on true
    order by grouped.failures desc, grouped.exit_code, cause`.execute(db)
  return rows
}

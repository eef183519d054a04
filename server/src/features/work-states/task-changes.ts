import { type RawBuilder, sql } from 'kysely'

const columns = sql.raw('task_id, minute, due, leased, success, failed, cancelled')

/**
 * By how many work items of tasks each state grew or shrank, with the minute. Changes that were not added up yet are rows of their
 * own. Those of a task that was deleted meanwhile, alone or with its computer, stay for a while and do not count: the sums that
 * they belong to were deleted with the task.
 */
export function changesWhere(isIncluded: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    select ${columns} from task_counts where ${isIncluded}
    union all
    select ${columns} from task_count_changes
    where ${isIncluded} and exists (select from tasks where tasks.id = task_count_changes.task_id)`
}

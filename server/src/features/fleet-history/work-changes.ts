import { sql } from 'kysely'

/** The sums that tasks keep of their work. Reading them is cheap, however much work there is. */
export const workChanges = sql`(
  select due, leased, success, failed, cancelled from task_counts
  union all select due, leased, success, failed, cancelled from task_count_changes)`

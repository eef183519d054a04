import { sql } from 'kysely'
import { changesWhere } from '../work-states/task-changes.ts'

/** The sums that tasks keep of their work. Reading them is cheap, however much work there is. */
export const workChanges = sql`(${changesWhere(sql<boolean>`true`)})`

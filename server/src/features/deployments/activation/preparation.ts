import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** The state of the creation of the work items of a task. */
export const preparationStates = ['Running', 'Completed', 'Cancelled', 'Failed'] as const

export type Preparation = {
  state: (typeof preparationStates)[number]
  computers: number
  completed: number
  withdrawn: number
}

/** Whether work of the row of `tasks` still has to be created. */
export const isBeingPrepared = sql<boolean>`
  exists (select from sliced_activations sliced where sliced.task_id = tasks.id and sliced.finished_at is null)`

/** Whether the service could not create all work of the row of `tasks`. */
export const hasFailedPreparation = sql<boolean>`
  exists (select from sliced_activations sliced where sliced.task_id = tasks.id and sliced.result = 'Failed')`

/** When all work of the row of `tasks` was created, if that took longer than the request. */
export const preparedAt = sql<Date | null>`
  (select sliced.finished_at from sliced_activations sliced where sliced.task_id = tasks.id)`

/** Finds the progress of the creation of the work items of a task. Undefined if the request itself has created them. */
export async function findPreparation(db: Database, taskId: string): Promise<Preparation | undefined> {
  const { rows } = await sql<Preparation>`
    select coalesce(result, 'Running') as state, computer_count as computers, completed_count as completed,
      withdrawn_count as withdrawn
    from sliced_activations where task_id = ${taskId}`.execute(db)
  return rows[0]
}

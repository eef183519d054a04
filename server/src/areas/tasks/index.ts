import type { Area } from '../../platform/operation.ts'
import { getTask } from './get-task.ts'
import { listTasks } from './list-tasks.ts'

export const tasks: Area = {
  name: 'Tasks',
  description: 'What was triggered over the API, and what became of it.',
  operations: [listTasks, getTask],
}

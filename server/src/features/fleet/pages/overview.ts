import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { taskRows } from '../../deployments/task-rows.ts'
import { isOpenWork } from '../../work-states/work-states.ts'

const maxTasks = 10

/** The newest tasks with open work, each with the progress of its work items. */
export async function listRunningTasks(db: Database) {
  const countOf = (condition: ReturnType<typeof sql<boolean>>) => sql<number>`(
    select count(*)::integer from work where work.task_id = tasks.id and ${condition})`
  const tasks = await taskRows(db)
    .select([
      countOf(sql`true`).as('total'),
      countOf(sql`${isOpenWork('work.state')}`).as('open'),
      countOf(sql`work.state = 'Success'`).as('succeeded'),
      countOf(sql`work.state = 'Failed'`).as('failed'),
      countOf(sql`work.state = 'Cancelled'`).as('cancelled'),
    ])
    .where(
      sql<boolean>`exists (
        select from work where work.task_id = tasks.id and ${isOpenWork('work.state')} offset 0)`,
    )
    .orderBy('tasks.created_at', 'desc')
    .orderBy('tasks.id', 'desc')
    .limit(maxTasks)
    .execute()
  return tasks.map(({ total, open, succeeded, failed, cancelled, ...task }) => ({
    task,
    ...{ total, open, succeeded, failed, cancelled },
  }))
}

type FirstSteps = { hasComputer: boolean; hasPackage: boolean; hasDeployment: boolean }

/** What a new installation has already done. */
export async function findFirstSteps(db: Database): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    select exists (select from computer_contacts) as "hasComputer", exists (select from packages) as "hasPackage",
      exists (select from deployments where result = 'Success') as "hasDeployment"`.execute(db)
  const [steps] = rows
  if (!steps) throw new Error('A select without a from clause returns one row.')
  return steps
}

import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isRunningTask, taskRows } from '../../deployments/task-rows.ts'
import type { TaskKind } from '../../deployments/tasks.ts'
import { countWorkOfTasks } from '../../deployments/time-line/work-counts.ts'
import { toSummary } from '../../rollouts/rollout-answer.ts'
import { listRolloutRecords } from '../../rollouts/rollout-record.ts'
import { isOpenWork } from '../../work-states/work-states.ts'

const maxTasks = 10
const maxRollouts = 10

/**
 * The newest tasks of groups with open work, each with the progress of its work items. Those of rollouts are part of their rollout,
 * and those of single computers are counted by countRunningSingles.
 */
export async function listRunningTasks(db: Database) {
  const tasks = await taskRows(db)
    .where('tasks.rollout_id', 'is', null)
    .where('tasks.computer_id', 'is', null)
    .where(
      sql<boolean>`exists (
        select from work where work.task_id = tasks.id and ${isOpenWork('work.state')} offset 0)`,
    )
    .orderBy('tasks.created_at', 'desc')
    .orderBy('tasks.id', 'desc')
    .limit(maxTasks)
    .execute()
  const counts = await countWorkOfTasks(
    db,
    tasks.map(({ trackingId }) => trackingId),
  )
  return tasks.map((task) => {
    const { due, leased, ...closedWork } = counts.get(task.trackingId) ?? noWork
    const open = due + leased
    const total = open + closedWork.succeeded + closedWork.failed + closedWork.cancelled
    return { task, total, open, ...closedWork }
  })
}

/** More are not counted: the number of a fleet that patches itself changes with every second. */
export const maxCountedSingles = 1_000

type RunningSingles = { type: TaskKind; tasks: number }

/** How many tasks of single computers have open work, by their kind: the service creates one for each computer that it patches. */
export async function countRunningSingles(db: Database): Promise<RunningSingles[]> {
  const { rows } = await sql<RunningSingles>`
    select kind as type, count(*)::integer as tasks
    from (
      select tasks.kind from unfinished_tasks join tasks on tasks.id = unfinished_tasks.task_id
      where tasks.computer_id is not null and tasks.rollout_id is null and ${isRunningTask}
      limit ${maxCountedSingles}
    ) as running group by kind order by 2 desc, 1`.execute(db)
  return rows
}

const noWork = { due: 0, leased: 0, succeeded: 0, failed: 0, cancelled: 0 }

/** The newest rollouts that have not ended; those that run come first. */
export async function listRunningRollouts(db: Database) {
  const rollouts = await db
    .selectFrom('rollouts')
    .select('id')
    .where('ended_at', 'is', null)
    .orderBy(sql`array_position(array['Running', 'CatchingUp'], state)`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxRollouts)
    .execute()
  if (rollouts.length === 0) return []
  const now = new Date()
  const found = await listRolloutRecords(
    db,
    rollouts.map(({ id }) => id),
  )
  return found.map((rollout) => toSummary(rollout, now))
}

type FirstSteps = {
  hasComputer: boolean
  waitingAgents: number
  hasPackage: boolean
  hasDeployment: boolean
  lastBackupUtc: Date | null
}

/** What a new installation has already done. */
export async function findFirstSteps(db: Database): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    select exists (select from computer_contacts) as "hasComputer",
      (select count(*)::integer from quarantined_agents where confirmed_computer_id is null) as "waitingAgents",
      exists (select from packages) as "hasPackage",
      exists (select from deployments where result = 'Success') as "hasDeployment",
      (select finished_at from last_backup) as "lastBackupUtc"`.execute(db)
  const [steps] = rows
  if (!steps) throw new Error('A select without a from clause returns one row.')
  return steps
}

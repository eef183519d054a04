import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { activate } from '../../activation/activate.ts'
import { type ActivationScope, pinScopeGroups } from '../../activation/activation-scope.ts'
import { createdContent } from '../../activation/planned-content.ts'
import { nothingToRetry, taskNotFound, taskOfRollout } from './problems.ts'
import { TaskPath, TaskRetry } from './schemas.ts'

export const retryTask = operation({
  id: 'retryTask',
  route: 'POST /api/tasks/:trackingId/retry',
  summary: 'Retry what has failed in a task',
  description:
    'Creates the failed work of the task again, as a new task, where it is still due: not what is no longer assigned, ' +
    'nor what has succeeded in the meantime. The failed work of a rollout is retried by retryRollout.',
  role: 'activation.execute',
  execution: { kind: 'LongChange' },
  massAction: {
    computers: ({ params }: { params: { trackingId: string } }) => sql<{ computer_id: number }>`
      select distinct computer_id from work where task_id = ${params.trackingId} and state = 'Failed'`,
  },
  removals: 'Published',
  content: ({ params }) =>
    createdContent(sql`
      work.computer_id in (select computer_id from work where task_id = ${params.trackingId} and state = 'Failed')`),
  params: TaskPath,
  returns: ok(TaskRetry),
  problems: [taskNotFound, taskOfRollout, nothingToRetry],
  extension: true,
  async handle({ params: { trackingId }, db, caller, countRemovals }) {
    const task = await db
      .selectFrom('tasks')
      .select(['computer_id', 'group_id', 'package_id', 'rollout_id'])
      .where('id', '=', trackingId)
      .executeTakeFirst()
    if (!task) throw taskNotFound({ trackingId })
    if (task.rollout_id !== null) throw taskOfRollout({ trackingId, rolloutId: task.rollout_id })
    const scope = failedScope(trackingId)
    await pinScopeGroups(db, scope)
    const retried = await activate(db, {
      scope,
      software: true,
      pxe: false,
      pull: false,
      wakeAt: null,
      srl: null,
      task: {
        kind: 'Activation',
        ...(task.computer_id !== null && { computerId: task.computer_id }),
        ...(task.group_id !== null && { groupId: task.group_id }),
        ...(task.package_id !== null && { packageId: task.package_id }),
        createdBy: caller.principal,
      },
      only: hasFailedIn(trackingId),
      limit: { countRemovals },
    })
    if (retried.computerCount === 0) throw nothingToRetry({ trackingId })
    return { trackingId: retried.trackingId, computerCount: retried.computerCount }
  },
})

/** The computers with failed work, and those of their groups that are activated already: a retry activates nothing else. */
function failedScope(taskId: string): ActivationScope {
  const failed = sql`select computer_id from work where task_id = ${taskId} and state = 'Failed'`
  return {
    computers: sql<{ owner_id: number }>`select distinct computer_id as owner_id from (${failed}) as failed`,
    memberships: sql`
      select computer_id, group_id from activations where software and group_id is not null and computer_id in (${failed})`,
    isGlobal: true,
    groupId: null,
  }
}

const hasFailedIn = (taskId: string) => sql<boolean>`exists (
  select from work failed
  where failed.task_id = ${taskId} and failed.state = 'Failed' and failed.computer_id = due.computer_id
    and failed.package_id = due.package_id)`

import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, Id, pagedResultOf, Type, Uuid } from '../../../../platform/schema.ts'
import { taskRows, taskStatus } from '../../task-rows.ts'
import { Task, TaskStatus } from './schemas.ts'

export const listTasks = operation({
  id: 'listTasks',
  route: 'GET /api/tasks',
  summary: 'List tasks, newest first',
  description:
    'Each request that creates work creates a task: activations, reinstalls, scans, reboots and remediation. Finished and ' +
    'failed tasks are deleted after 30 days, unless the service is configured otherwise.',
  role: 'computer.read',
  query: closed({
    ...paging,
    status: Type.Optional({
      ...TaskStatus,
      description: 'Only tasks that are running (1), finished (2) or failed (3)',
    }),
    clientId: Type.Optional({ ...Id, description: 'Only tasks of this computer, or with work for it' }),
    packageId: Type.Optional({ ...Uuid, description: 'Only tasks for this package, or with work for it' }),
  }),
  returns: ok(pagedResultOf(Task)),
  handle(call) {
    const { db } = call
    const { status, clientId, packageId } = call.query
    const ofComputer = sql<boolean>`tasks.id in (
      select id from tasks where computer_id = ${clientId} union all select task_id from work where computer_id = ${clientId})`
    const ofPackage = sql<boolean>`tasks.id in (
      select id from tasks where package_id = ${packageId} union all select task_id from work where package_id = ${packageId})`
    const matching = db
      .selectFrom('tasks')
      .select(['tasks.created_at as createdAtUtc', 'tasks.id as trackingId'])
      .$if(clientId !== undefined, (tasks) => tasks.where(ofComputer))
      .$if(packageId !== undefined, (tasks) => tasks.where(ofPackage))
      .$if(status !== undefined, (tasks) => tasks.where(taskStatus, '=', sql<TaskStatus>`${status}`))
    const isFiltered = [status, clientId, packageId].some((filter) => filter !== undefined)
    return pageOf(
      call,
      taskRows(db),
      { columns: ['createdAtUtc', 'trackingId'], descending: true },
      { query: matching, once: isFiltered },
    )
  },
})

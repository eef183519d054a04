import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, enumOf, Int32, type Static, Type, text } from '../../../../platform/schema.ts'
import { listExpectedContacts } from '../../../agents/expected-contacts.ts'
import { workStates } from '../../../work-states/work-states.ts'
import { findPreparation } from '../../activation/preparation.ts'
import { failureCauseOf } from '../../failures/failure-causes.ts'
import { taskRows } from '../../task-rows.ts'
import { readWorkTimeLine } from '../../time-line/read-time-line.ts'
import { countWorkByState, oneTask } from '../../time-line/work-counts.ts'
import { taskNotFound } from './problems.ts'
import { type TaskAction, TaskDetails, TaskPath } from './schemas.ts'
import { IncludeTimeLine } from './time-line-schemas.ts'

type Action = Static<typeof TaskAction>

export const getTask = operation({
  id: 'getTask',
  route: 'GET /api/tasks/:trackingId',
  summary: 'Get a task with its work items',
  description:
    'Lists one action for each computer and package. `skip`, `top` and `cursor` select the page of `actions`. The work of a ' +
    'large activation is created after its request: until then the task is running, and `preparation` shows the progress. ' +
    'With `include=timeLine` (extension), the answer also has the progress over time and the failures by their cause.',
  role: 'computer.read',
  params: TaskPath,
  query: closed({
    ...paging,
    include: IncludeTimeLine,
    state: Type.Optional({
      ...enumOf(workStates),
      description: 'Extension: only actions in this state. The counts are those of the whole task.',
    }),
    exitCode: Type.Optional({
      ...Int32,
      examples: [1603],
      description: 'Extension: only actions with a failure that has this exit code',
    }),
    cause: Type.Optional(
      text(200, 'e: no space left on device <path>', 'Extension: only actions with a failure that has this cause'),
    ),
  }),
  returns: ok(TaskDetails),
  problems: [taskNotFound],
  async handle(call) {
    const { params, db } = call
    const task = await taskRows(db).where('tasks.id', '=', params.trackingId).executeTakeFirst()
    if (!task) throw taskNotFound({ trackingId: params.trackingId })
    const { state, exitCode, cause } = call.query
    const work = db
      .selectFrom('work')
      .select('work.id as workId')
      .where('work.task_id', '=', params.trackingId)
      .$if(state !== undefined, (work) => work.where('work.state', '=', state ?? ''))
      .$if(exitCode !== undefined || cause !== undefined, (work) => work.where(hasFailed({ exitCode, cause })))
    const { due, leased, ...closedWork } = await countWorkByState(db, oneTask(params.trackingId))
    const open = due + leased
    const total = open + closedWork.succeeded + closedWork.failed + closedWork.cancelled
    const isFiltered = [state, exitCode, cause].some((filter) => filter !== undefined)
    const matching = { query: work, once: false, ...(!isFiltered && { totalCount: total }) }
    const page = await pageOf(call, actionRows(db), { columns: ['workId'] }, matching)
    const actions = { ...page, items: await withNextContacts(db, page.items) }
    const timeLine = call.query.include && (await readWorkTimeLine(db, oneTask(params.trackingId)))
    const preparation = (await findPreparation(db, params.trackingId)) ?? null
    return { ...task, total, open, ...closedWork, preparation, actions, ...(timeLine && { timeLine }) }
  },
})

type ActionRow = Omit<Action, 'nextContactUtc' | 'connectedNow'>

/** Adds when the agent is expected for the work that waits for it. */
async function withNextContacts(db: Database, rows: readonly ActionRow[]): Promise<Action[]> {
  const waiting = rows.filter(({ state }) => state === 'Due').map(({ clientId }) => clientId)
  const contacts = await listExpectedContacts(db, waiting)
  return rows.map((row) => {
    const contact = row.state === 'Due' ? contacts.get(row.clientId) : undefined
    return { ...row, nextContactUtc: contact?.at ?? null, connectedNow: contact?.isConnected ?? false }
  })
}

type Failure = { exitCode: number | undefined; cause: string | undefined }

/** Whether a row of `work` has failed so, at least once: for good, or before it was retried. */
function hasFailed({ exitCode, cause }: Failure): RawBuilder<boolean> {
  const conditions = [
    ...(exitCode === undefined ? [] : [sql`error.exit_code = ${exitCode}`]),
    ...(cause === undefined ? [] : [sql`${failureCauseOf(sql<string>`error.output`)} = ${cause}`]),
  ]
  const hasPrinted = sql`exists (
    select from setup_errors error where error.work_id = work.id and ${sql.join(conditions, sql` and `)})`
  // An item that failed without being started has printed nothing.
  const wasNotStarted = sql`${exitCode === undefined} and exists (
    select from deployments failed where failed.computer_id = work.computer_id and failed.package_id = work.package_id
      and left(failed.error_text, 200) = ${cause})`
  return sql<boolean>`(work.state = 'Failed' or work.failures > 0) and (${hasPrinted} or ${wasNotStarted})`
}

function actionRows(db: Database) {
  // The deployment may describe a later work item; then only the setup error log has the output of this one.
  const errorText = sql<string | null>`case when work.state = 'Failed' then coalesce(
    (select error_text from deployments d where d.computer_id = work.computer_id and d.package_id = work.package_id
      and d.failed_at <= work.closed_at),
    (select left(output, 1000) from setup_errors e where e.computer_id = work.computer_id and e.work_id = work.id
      order by e.id desc limit 1)) end`
  return db
    .selectFrom('work')
    .innerJoin('computers', 'computers.id', 'work.computer_id')
    .leftJoin('packages', 'packages.id', 'work.package_id')
    .select([
      'work.id as workId',
      'work.computer_id as clientId',
      'computers.name as hostname',
      'work.package_id as packageId',
      'packages.name as packageName',
      sql<Action['kind']>`work.kind`.as('kind'),
      sql<Action['state']>`work.state`.as('state'),
      'work.attempt',
      'work.created_at as createdAtUtc',
      'work.closed_at as closedAtUtc',
      errorText.as('errorText'),
      sql<Action['cancelReason']>`work.cancel_reason`.as('cancelReason'),
      'work.cancel_subject as cancelSubject',
    ])
}

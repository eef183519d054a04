import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { listedComputers } from '../../../groups/affected-computers.ts'
import { activate } from '../../activation/activate.ts'
import { pinScopeGroups, selectionScope } from '../../activation/activation-scope.ts'
import { planForDryRun } from '../../activation/deployment-plan.ts'
import { plannedContent } from '../../activation/planned-content.ts'
import { SelectionActivation, SelectionActivationRequest } from './schemas.ts'

export const activateComputers = operation({
  id: 'activateComputers',
  route: 'POST /api/fleet/computers/activation',
  summary: 'Publish the software assignments of selected computers',
  description:
    'Does for each of the computers what activateComputer does with `software`, as one task. To activate more computers, ' +
    'put them into a group and activate the group.',
  role: 'activation.execute',
  execution: { kind: 'LongChange' },
  extension: true,
  massAction: { computers: ({ body }) => listedComputers(body.computerIds) },
  removals: 'Published',
  content: ({ body: { computerIds } }) =>
    plannedContent({ scope: selectionScope(computerIds, true), software: true, pxe: false }),
  body: SelectionActivationRequest,
  returns: ok(SelectionActivation),
  async handle(call) {
    const {
      body: { computerIds, wolNow },
      db,
      caller,
      countRemovals,
    } = call
    const scope = selectionScope(computerIds, true)
    await pinScopeGroups(db, scope)
    const plan = await planForDryRun(call, { scope, software: true, pxe: false })
    const { computerCount, withoutMacAddress, wakeAt, trackingId } = await activate(db, {
      scope,
      software: true,
      pxe: false,
      pull: false,
      srl: null,
      wakeAt: wolNow ? 'now' : null,
      task: { kind: 'Activation', createdBy: caller.principal },
      limit: { countRemovals },
    })
    const notFound = new Set(computerIds).size - computerCount
    return {
      computerCount,
      ...(await countWork(db, trackingId)),
      withoutMacAddress,
      notFound,
      wolUtc: wakeAt,
      trackingId,
      plan,
    }
  },
})

type WorkCounts = { computersWithWork: number; packageCount: number; workItems: number }

async function countWork(db: Database, taskId: string | null): Promise<WorkCounts> {
  const countOf = (values: RawBuilder<unknown>) => sql`count(${values})::integer`
  const { rows } = await sql<WorkCounts>`
    select ${countOf(sql`distinct computer_id`)} as "computersWithWork",
      ${countOf(sql`distinct package_id`)} as "packageCount", ${countOf(sql`*`)} as "workItems"
    from work where task_id = ${taskId}`.execute(db)
  return rows[0] ?? { computersWithWork: 0, packageCount: 0, workItems: 0 }
}

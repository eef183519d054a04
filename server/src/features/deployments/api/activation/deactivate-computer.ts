import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { effectivePackages } from '../../../assignments/effective-packages.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, lockComputer } from '../../../computers/computers.ts'
import { distributionCommands, withAction } from '../../../distribution/commands.ts'
import { bitsToClear } from '../../activation/activation-request.ts'
import {
  type ActivationScope,
  computerScope,
  listScopeGroupIds,
  pinScopeGroups,
} from '../../activation/activation-scope.ts'
import { deactivate } from '../../activation/deactivate.ts'
import { lockWaitingSlices } from '../../activation/withdraw-computers.ts'
import { computerNotGroupAssigned } from '../../problems.ts'
import { ComputerDeactivation, ComputerDeactivationQuery } from './schemas.ts'

export const deactivateComputer = operation({
  id: 'deactivateComputer',
  route: 'DELETE /api/computer/:id/activation',
  summary: 'Deactivate a computer',
  description:
    'Clears the bits that the query names, or all bits if it names none, and cancels the open work that no other activated ' +
    'group brings. The agent completes what it has begun, and its result is still recorded. Requested reinstalls stay.',
  role: 'activation.execute',
  params: ComputerPath,
  query: ComputerDeactivationQuery,
  returns: ok(ComputerDeactivation),
  problems: [computerNotFound, computerNotGroupAssigned],
  async handle({ params: { id }, query, db }) {
    const { global = true, uninstall = false } = query
    const bits = bitsToClear(query)
    const scope = computerScope(id, global)
    const slices = await lockWaitingSlices(db, scope)
    await pinScopeGroups(db, scope)
    await lockComputer(db, id)
    const groupIds = await listScopeGroupIds(db, scope)
    if (groupIds.length === 0) throw computerNotGroupAssigned({ clientId: id })
    const { cancelledWork } = await deactivate(db, { ...bits, scope }, slices)
    if (uninstall) await resetUninstalls(db, scope)
    return { clientId: id, ...bits, global, uninstall, groupIds, cancelledWork }
  },
})

/** Replaces Uninstall by Install in the options of packages that are still installed on the computer. */
async function resetUninstalls(db: Database, { computers, memberships }: ActivationScope): Promise<void> {
  await sql`
    update distribution_options o set dist_commands = ${withAction(sql.ref('o.dist_commands'), 'Install')}
    from (${effectivePackages(computers)}) as effective
      join deployments d on d.computer_id = effective.computer_id and d.package_id = effective.package_id
    where o.group_id = effective.group_id and o.package_id = effective.package_id
      and o.dist_commands & ${distributionCommands.Uninstall}::integer <> 0 and d.installation_state = 'Installed'
      and exists (
        select from (${memberships}) as membership join group_ancestors above on above.descendant_id = membership.group_id
        where above.ancestor_id = effective.group_id)`.execute(db)
}

import { ok, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { bitsToClear } from '../../activation/activation-request.ts'
import { groupScope, pinScopeGroups } from '../../activation/activation-scope.ts'
import { deactivate } from '../../activation/deactivate.ts'
import { lockWaitingSlices } from '../../activation/withdraw-computers.ts'
import { GroupDeactivation, GroupDeactivationQuery } from './schemas.ts'

export const deactivateGroup = operation({
  id: 'deactivateGroup',
  route: 'DELETE /api/group/:id/activation',
  summary: 'Deactivate all computers of a group',
  description:
    'Clears the bits that the query names, or all bits if it names none, for the computers in the group and in the groups ' +
    'below it, and cancels the open work that no other activated group brings. Agents complete what they have begun, and ' +
    'their results are still recorded. Requested reinstalls stay.',
  role: 'activation.execute',
  execution: { kind: 'LongChange' },
  massAction: affectsGroup,
  params: GroupPath,
  query: GroupDeactivationQuery,
  returns: ok(GroupDeactivation),
  problems: [groupNotFound],
  async handle({ params: { id }, query, db }) {
    const { global = true } = query
    const bits = bitsToClear(query)
    const scope = groupScope(id, global)
    const slices = await lockWaitingSlices(db, scope)
    await pinScopeGroups(db, scope)
    await requireGroup(db, id)
    const deactivated = await deactivate(db, { ...bits, scope }, slices)
    return { groupId: id, ...bits, global, ...deactivated }
  },
})

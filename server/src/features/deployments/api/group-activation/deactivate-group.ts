import { ok, operation } from '../../../../platform/operation.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, pinGroup } from '../../../groups/groups.ts'
import { bitsToClear } from '../../activation/activation-request.ts'
import { groupScope } from '../../activation/activation-scope.ts'
import { deactivate } from '../../activation/deactivate.ts'
import { GroupDeactivation, GroupDeactivationQuery } from './schemas.ts'

export const deactivateGroup = operation({
  id: 'deactivateGroup',
  route: 'DELETE /api/group/:id/activation',
  summary: 'Take back what was published to the computers of a group and of the groups below it',
  description:
    'Clears the bits that are named, or all where none is, and cancels the work that still waits for an agent. Work that ' +
    'an agent has goes on, and so does a reinstall that was asked for.',
  role: 'activation.execute',
  params: GroupPath,
  query: GroupDeactivationQuery,
  returns: ok(GroupDeactivation),
  problems: [groupNotFound],
  async handle({ params: { id }, query, db }) {
    const { global = true } = query
    const bits = bitsToClear(query)
    await pinGroup(db, id)
    const deactivated = await deactivate(db, { ...bits, scope: groupScope(id, global) })
    return { groupId: id, ...bits, global, ...deactivated }
  },
})

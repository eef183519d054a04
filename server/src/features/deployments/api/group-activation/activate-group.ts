import { ok, operation } from '../../../../platform/operation.ts'
import { noPxeBootImageToActivate } from '../../../assignments/problems.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, pinGroup } from '../../../groups/groups.ts'
import { activate } from '../../activation/activate.ts'
import { parseActivationRequest } from '../../activation/activation-request.ts'
import { groupScope } from '../../activation/activation-scope.ts'
import { GroupActivation, GroupActivationRequest } from './schemas.ts'

export const activateGroup = operation({
  id: 'activateGroup',
  route: 'POST /api/group/:id/activation',
  summary: 'Publish what is assigned to all computers of a group and of the groups below it',
  description:
    'The same as the activation of each computer, as one task. With pxe, computers without a boot image are left out of ' +
    'it and counted.',
  role: 'activation.execute',
  params: GroupPath,
  body: GroupActivationRequest,
  returns: ok(GroupActivation),
  problems: [groupNotFound, noPxeBootImageToActivate],
  async handle({ params: { id }, body, db }) {
    const { global, ...requested } = parseActivationRequest(body)
    await pinGroup(db, id)
    const { wakeAt, ...activated } = await activate(db, {
      ...requested,
      scope: groupScope(id, global),
      task: { kind: 'Activation', groupId: id },
    })
    const { software, pxe, pull, srl } = requested
    return { groupId: id, software, pxe, pull, global, wolUtc: wakeAt, srl, ...activated }
  },
})

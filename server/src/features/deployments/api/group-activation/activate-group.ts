import { ok, operation } from '../../../../platform/operation.ts'
import { noPxeBootImageToActivate, pxeNotApplicable } from '../../../assignments/problems.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, pinGroup, requireGroup } from '../../../groups/groups.ts'
import { acceptActivation } from '../../activation/accept-activation.ts'
import { activate } from '../../activation/activate.ts'
import { isDestructiveActivation, parseActivationRequest, toSrl } from '../../activation/activation-request.ts'
import { groupScope, pinScopeGroups } from '../../activation/activation-scope.ts'
import { needsSlices } from '../../activation/activation-size.ts'
import { planForDryRun } from '../../activation/deployment-plan.ts'
import { plannedContent } from '../../activation/planned-content.ts'
import { GroupActivation, GroupActivationRequest } from './schemas.ts'

export const activateGroup = operation({
  id: 'activateGroup',
  route: 'POST /api/group/:id/activation',
  summary: 'Publish the assignments of all computers of a group',
  description:
    'Activates each computer in the group and in the groups below it, as one task. With `pxe`, computers without a boot ' +
    'image, and those that cannot boot it, are skipped and counted; answers 409 if no computer can boot. Also counts computers that cannot boot yet or cannot ' +
    'be woken. If about 20,000 work items or more may be due, unless the service is configured otherwise, the request is ' +
    'answered before they exist: the task shows the progress of their creation in `preparation`, and there is a ' +
    '`trackingId` even if no work is due. Deactivating the group stops the creation.',
  role: 'activation.execute',
  execution: { kind: 'LongChange' },
  massAction: { ...affectsGroup, restrictsToApproved: true },
  destructive: ({ body }) => isDestructiveActivation(body),
  removals: 'Published',
  content: ({ params, body }, approvedComputerIds) => {
    const { global, software, pxe } = parseActivationRequest(body)
    return plannedContent({ scope: groupScope(params.id, global, approvedComputerIds), software, pxe })
  },
  params: GroupPath,
  body: GroupActivationRequest,
  returns: ok(GroupActivation),
  problems: [groupNotFound, noPxeBootImageToActivate, pxeNotApplicable],
  async handle(call) {
    const {
      params: { id },
      body,
      db,
      caller,
      services,
      approvedComputerIds,
      approvedContent,
      countRemovals,
    } = call
    const { global, ...requested } = parseActivationRequest(body)
    const scope = groupScope(id, global, approvedComputerIds)
    const isSliced = await needsSlices(db, { scope, ...requested }, services.configuration)
    if (isSliced) await pinGroup(db, id)
    else await pinScopeGroups(db, scope)
    await requireGroup(db, id)
    const plan = await planForDryRun(call, { scope, ...requested })
    const { wakeAt, ...activated } = await (isSliced ? acceptActivation : activate)(db, {
      ...requested,
      scope,
      task: { kind: 'Activation', groupId: id, createdBy: caller.principal },
      limit: { countRemovals },
      approvedContent,
    })
    const { software, pxe, pull } = requested
    const srl = toSrl(requested.srl)
    return { groupId: id, software, pxe, pull, global, wolUtc: wakeAt, srl, ...activated, plan }
  },
})

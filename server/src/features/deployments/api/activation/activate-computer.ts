import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { findOsDeployment, type OsDeploymentCondition } from '../../../assignments/os-deployment-readiness.ts'
import { noPxeBootImageToActivate, pxeNotApplicable } from '../../../assignments/problems.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, lockComputer } from '../../../computers/computers.ts'
import { activate } from '../../activation/activate.ts'
import { isDestructiveActivation, parseActivationRequest, toSrl } from '../../activation/activation-request.ts'
import { computerScope, listScopeGroupIds, pinScopeGroups } from '../../activation/activation-scope.ts'
import { planForDryRun } from '../../activation/deployment-plan.ts'
import { plannedContent } from '../../activation/planned-content.ts'
import { ComputerActivation, ComputerActivationRequest } from './schemas.ts'

export const activateComputer = operation({
  id: 'activateComputer',
  route: 'POST /api/computer/:id/activation',
  summary: 'Publish the assignments of a computer',
  description:
    'Creates the work that is due now, as one task; the agent leases it at its next contact. Cancels waiting work that is ' +
    'no longer due. At least one of `software`, `pxe` and `pull` must be true. With `srl` and without `wol`, Wake-on-LAN ' +
    'is sent now. With `pxe`, answers 409 if no boot image is assigned to the computer, or if the computer cannot boot it. If packages are not Ready to Install ' +
    'or the MAC address is unknown, the activation waits, and `missing` says for what.',
  role: 'activation.execute',
  destructive: ({ body }) => isDestructiveActivation(body),
  removals: 'Published',
  content: ({ params, body }) => {
    const { global, software, pxe } = parseActivationRequest(body)
    return plannedContent({ scope: computerScope(params.id, global), software, pxe })
  },
  params: ComputerPath,
  body: ComputerActivationRequest,
  returns: ok(ComputerActivation),
  problems: [computerNotFound, noPxeBootImageToActivate, pxeNotApplicable],
  async handle(call) {
    const {
      params: { id },
      body,
      db,
      caller,
      countRemovals,
    } = call
    const { global, ...requested } = parseActivationRequest(body)
    const scope = computerScope(id, global)
    await pinScopeGroups(db, scope)
    await lockComputer(db, id)
    const plan = await planForDryRun(call, { scope, ...requested })
    const { wakeAt, withoutMacAddress, trackingId } = await activate(db, {
      ...requested,
      scope,
      task: { kind: 'Activation', computerId: id, createdBy: caller.principal },
      limit: { countRemovals },
    })
    const { software, pxe, pull } = requested
    const srl = toSrl(requested.srl)
    const groupIds = await listScopeGroupIds(db, scope)
    const missing = pxe ? await listMissingToBoot(db, id) : withoutMacAddress > 0 ? [noMacAddress] : []
    return { clientId: id, software, pxe, pull, global, groupIds, wolUtc: wakeAt, srl, trackingId, plan, missing }
  },
})

const noMacAddress: OsDeploymentCondition = 'MacAddress'

/** A computer boots its image without an edition too: an image may contain an operating system. */
async function listMissingToBoot(db: Database, computerId: number): Promise<OsDeploymentCondition[]> {
  const deployment = await findOsDeployment(db, computerId)
  return deployment?.missing.filter((condition) => condition !== 'OsImageSku') ?? []
}

import { setBlastRadius } from '../../src/features/blast-radius/api/set-blast-radius.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

/** A request that waits for approval, and its path. */
async function pendingRequest({ as, given }: World) {
  const setQuota = (apiQuota: number | null) =>
    as('admin.manage').call(setBlastRadius, { body: { apiQuota, consoleQuota: 500 } })
  await setQuota(0)
  const refused = await as('computer.write').call(deleteComputer, { params: { id: (await given.computer()).id } })
  await setQuota(null)
  return { params: { id: (refused.raw as { approvalId: string }).approvalId } }
}

/** The same, made by the caller of operations that need no role. */
const ownRequest: Scenario = async (world) => {
  const input = await pendingRequest(world)
  const { body } = await world.as('scan.execute').call(whoAmI)
  await world.db
    .updateTable('approvals')
    .set({ requester_id: body.principalId })
    .where('id', '=', input.params.id)
    .execute()
  return input
}

export const blastRadiusScenarios: Record<string, Scenario> = {
  setFreeze: async () => ({ body: { frozen: false } }),
  getApproval: ownRequest,
  approveRequest: pendingRequest,
  denyRequest: ownRequest,
}

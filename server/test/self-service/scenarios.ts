import { randomUUID } from 'node:crypto'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

/** A request that waits for a decision, and its path. */
async function pendingRequest({ db, given }: World, computer?: { id: number }) {
  const { id: computer_id } = computer ?? (await given.computer())
  const { id } = await db
    .insertInto('package_requests')
    .values({ computer_id, choice_id: randomUUID(), wish: 'An editor', user_name: 'mia' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { params: { id } }
}

export const selfServiceScenarios: Record<string, Scenario> = {
  getPackageRequest: pendingRequest,
  // The package is assigned, so its approval changes no group and needs one role.
  approvePackageRequest: async (world) => {
    const { given } = world
    const [group, computer, pack] = [await given.group(), await given.computer(), await given.package()]
    await given.member(group, computer)
    await given.assignment(group, pack, 'package')
    return { ...(await pendingRequest(world, computer)), body: { packageId: pack.id } }
  },
  declinePackageRequest: async (world) => ({ ...(await pendingRequest(world)), body: { answer: 'No.' } }),
}

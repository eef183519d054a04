import { randomUUID } from 'node:crypto'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

/** A request that waits for a decision, and its path. */
async function pendingRequest({ db, given }: World) {
  const computer = await given.computer()
  const { id } = await db
    .insertInto('package_requests')
    .values({ computer_id: computer.id, choice_id: randomUUID(), wish: 'An editor', user_name: 'mia' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { params: { id } }
}

export const selfServiceScenarios: Record<string, Scenario> = {
  getPackageRequest: pendingRequest,
  approvePackageRequest: async (world) => ({
    ...(await pendingRequest(world)),
    body: { packageId: (await world.given.package()).id },
  }),
  declinePackageRequest: async (world) => ({ ...(await pendingRequest(world)), body: { answer: 'No.' } }),
}

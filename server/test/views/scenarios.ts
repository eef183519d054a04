import { createView } from '../../src/features/views/api/create-view.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

let number = 0
const body = () => ({ page: 'computers' as const, name: `view ${number++}`, sharedWith: ['computer.read' as const] })

/** A view of the caller of these operations. */
async function view({ as }: World) {
  const { id } = (await as('computer.read').call(createView, { body: body() })).body
  return { params: { id } }
}

export const viewsScenarios: Record<string, Scenario> = {
  createView: async () => ({ body: body() }),
  getView: view,
  updateView: async (world) => ({ ...(await view(world)), body: { density: 'Compact' as const } }),
  deleteView: view,
}

import { createDepotCredential } from '../../src/features/depots/api/create-depot-credential.ts'
import type { Scenario } from '../platform/operations/scenarios.ts'
import type { World } from '../world/open-world.ts'
import { givenAssignment, givenPackage, givenTag } from './given-packages.ts'

const depot = ({ given }: World) => given.computer({ role: 'DepotServer' })

const aTag: Scenario = async ({ db }) => ({ params: { id: (await givenTag(db)).id } })

async function taggedDepot(world: World) {
  const [{ id: clientId }, tag] = [await depot(world), await givenTag(world.db)]
  await world.db.insertInto('depot_tags').values({ computer_id: clientId, tag_id: tag.id }).execute()
  return { params: { clientId, tagId: tag.id } }
}

async function assignedPackage({ db, given }: World) {
  const [group, made] = [await given.group(), await givenPackage(db)]
  await givenAssignment(db, group, made)
  return { params: { id: group.id }, query: { packageId: made.id } }
}

export const depotsScenarios: Record<string, Scenario> = {
  createTag: async () => ({ body: { designation: `tag ${Math.random()}` } }),
  getTag: aTag,
  updateTag: async (world) => ({ ...(await aTag(world)), body: { description: 'Clear' } }),
  deleteTag: aTag,
  listTagPackages: async () => ({ query: { tag: 'Global' } }),
  listDepotTags: async (world) => ({ params: { clientId: (await depot(world)).id } }),
  assignDepotTag: async (world) => ({
    params: { clientId: (await depot(world)).id },
    body: { tagId: (await givenTag(world.db)).id },
  }),
  removeDepotTag: taggedDepot,
  createDepotCredential: async (world) => ({ params: { clientId: (await depot(world)).id } }),
  deleteDepotCredential: async (world) => {
    const { id: clientId } = await depot(world)
    await world.as('admin.manage').call(createDepotCredential, { params: { clientId } })
    return { params: { clientId } }
  },
  triggerSyncJob: async (world) => ({ body: { depotClientIds: [(await depot(world)).id] } }),
  getDistributionOptions: assignedPackage,
  setDistributionOptions: async (world) => ({
    ...(await assignedPackage(world)),
    body: { commands: ['Uninstall', 'Force'], scheduleString: 'FROM=2026-03-01T00:00:00Z' },
  }),
  getGroupDepotServers: async ({ given }) => ({ params: { id: (await given.group()).id } }),
  setGroupDepotServers: async (world) => ({
    params: { id: (await world.given.group()).id },
    body: { depotServers: [(await depot(world)).id] },
  }),
}

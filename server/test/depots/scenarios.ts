import { createDepotCredential } from '../../src/features/depots/api/create-depot-credential.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'
import { givenAssignment, givenPackage, givenTag } from './given-packages.ts'

const givenDepot = ({ given }: World) => given.computer({ role: 'DepotServer' })

const givenExistingTag: Scenario = async ({ db }) => ({ params: { id: (await givenTag(db)).id } })

async function givenTaggedDepot(world: World) {
  const [{ id: clientId }, tag] = [await givenDepot(world), await givenTag(world.db)]
  await world.db.insertInto('depot_tags').values({ computer_id: clientId, tag_id: tag.id }).execute()
  return { params: { clientId, tagId: tag.id } }
}

async function givenAssignedPackage({ db, given }: World) {
  const [group, made] = [await given.group(), await givenPackage(db)]
  await givenAssignment(db, group, made)
  return { params: { id: group.id }, query: { packageId: made.id } }
}

export const depotsScenarios: Record<string, Scenario> = {
  createTag: async () => ({ body: { designation: `tag ${Math.random()}` } }),
  getTag: givenExistingTag,
  updateTag: async (world) => ({ ...(await givenExistingTag(world)), body: { description: 'Clear' } }),
  deleteTag: givenExistingTag,
  listTagPackages: async () => ({ query: { tag: 'Global' } }),
  listDepotTags: async (world) => ({ params: { clientId: (await givenDepot(world)).id } }),
  assignDepotTag: async (world) => ({
    params: { clientId: (await givenDepot(world)).id },
    body: { tagId: (await givenTag(world.db)).id },
  }),
  removeDepotTag: givenTaggedDepot,
  createDepotCredential: async (world) => ({ params: { clientId: (await givenDepot(world)).id } }),
  deleteDepotCredential: async (world) => {
    const { id: clientId } = await givenDepot(world)
    await world.as('admin.manage').call(createDepotCredential, { params: { clientId } })
    return { params: { clientId } }
  },
  triggerSyncJob: async (world) => ({ body: { depotClientIds: [(await givenDepot(world)).id] } }),
  getDistributionOptions: givenAssignedPackage,
  setDistributionOptions: async (world) => ({
    ...(await givenAssignedPackage(world)),
    body: { commands: ['Uninstall', 'Force'], scheduleString: 'FROM=2026-03-01T00:00:00Z' },
  }),
  removeDistributionOptions: givenAssignedPackage,
  getGroupDepotServers: async ({ given }) => ({ params: { id: (await given.group()).id } }),
  setGroupDepotServers: async (world) => ({
    params: { id: (await world.given.group()).id },
    body: { depotServers: [(await givenDepot(world)).id] },
  }),
}

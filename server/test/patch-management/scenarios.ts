import { randomBytes } from 'node:crypto'
import { startEmergencyPatching } from '../../src/features/patch-management/api/pm-groups/start-emergency-patching.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { emptyFolder } from '../packages/scenarios.ts'
import type { Scenario } from '../world/scenario.ts'

const onComputer: Scenario = async ({ given }) => ({ params: { id: (await given.computer()).id } })

const onPatch: Scenario = async ({ given }) => ({ params: { patchId: (await given.patch()).id } })

/** A patch whose file is already in the package store. */
const onStoredPatch: Scenario = async ({ db, given }) => {
  const { id: patchId, productId: product_id } = await given.patch()
  const sha256 = randomBytes(32)
  await db.insertInto('patch_contents').values({ sha256, size: 1, stored_at: new Date() }).execute()
  const file = { patch_id: patchId, product_id, sha256, name: 'a.msu', url: 'https://vendor.example.org/a.msu' }
  await db.insertInto('patch_files').values(file).execute()
  return { params: { patchId } }
}

const onPmGroup: Scenario = async ({ given }) => ({ params: { id: (await given.pmGroup()).id } })

/** An emergency with one computer. */
const onEmergency: Scenario = async ({ as, given }) => {
  const params = { id: (await given.pmGroup()).id }
  const computer = await given.computer()
  await as('pm.execute').call(startEmergencyPatching, { params, body: { computerIds: [computer.id] } })
  return { params }
}

export const patchesScenarios: Record<string, Scenario> = {
  getComputerPatchStatus: onComputer,
  searchComputerPatches: onComputer,
  listComputerPmGroups: onComputer,
  importPatchCatalog: async (world) => ({ body: { folderPath: await emptyFolder(world) } }),
  getPatchCatalogImport: async ({ db }) => ({
    params: { trackingId: await enqueue(db, { queue: 'patch-import', subject: 'catalogs', input: {} }) },
  }),
  getPatch: onPatch,
  listPatchProducts: onPatch,
  listPatchFiles: onPatch,
  downloadPatch: onStoredPatch,
  listPatchPmGroups: onPatch,
  approvePatch: async ({ given }) => {
    const { id, productId } = await given.patch()
    return { params: { patchId: id }, query: { productId } }
  },
  revokePatchApproval: onPatch,
  approvePatches: async ({ given }) => ({ body: { patchIds: [(await given.patch()).id] } }),
  revokePatches: async ({ given }) => {
    const { id: patchId, productId } = await given.patch()
    return { body: { approvals: [{ patchId, productId }] } }
  },
  createPmGroup: async () => ({ body: { name: `PM group ${randomBytes(6).toString('hex')}`, category: 'Patch' } }),
  getPmGroup: onPmGroup,
  updatePmGroup: async ({ given }) => ({
    params: { id: (await given.pmGroup()).id },
    body: { name: `PM group ${randomBytes(6).toString('hex')}` },
  }),
  deletePmGroup: onPmGroup,
  listPmGroupPatches: onPmGroup,
  searchPmGroupPatches: onPmGroup,
  addPmGroupPatches: async ({ given }) => {
    const { id, productId } = await given.patch()
    return { params: { id: (await given.pmGroup()).id }, body: { patchIds: [id], productId } }
  },
  removePmGroupPatch: async ({ given }) => {
    const patch = await given.patch()
    const group = await given.pmGroup({ patches: [patch] })
    return { params: { id: group.id, patchId: patch.id } }
  },
  listPmGroupAssignments: onPmGroup,
  assignPmGroup: async ({ given }) => ({
    params: { id: (await given.pmGroup()).id },
    body: { treeId: (await given.group()).id },
  }),
  removePmGroupAssignment: async ({ given }) => {
    const pmGroup = await given.pmGroup()
    const group = await given.group()
    await given.pmAssignment(pmGroup, group)
    return { params: { id: pmGroup.id, treeId: group.id } }
  },
  getEmergencyPatching: onEmergency,
  startEmergencyPatching: async ({ given }) => ({
    params: { id: (await given.pmGroup()).id },
    body: { computerIds: [(await given.computer()).id] },
  }),
  stopEmergencyPatching: onEmergency,
}

import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { revokePatchApproval } from '../../src/features/patch-management/api/approval/revoke-patch-approval.ts'
import { getComputerPatchStatus } from '../../src/features/patch-management/api/computer-patches/get-computer-patch-status.ts'
import { listPatchStatusDevices } from '../../src/features/patch-management/api/computer-patches/list-patch-status-devices.ts'
import { searchComputerPatches } from '../../src/features/patch-management/api/computer-patches/search-computer-patches.ts'
import { addPmGroupPatches } from '../../src/features/patch-management/api/pm-groups/add-pm-group-patches.ts'
import { assignPmGroup } from '../../src/features/patch-management/api/pm-groups/assign-pm-group.ts'
import { deletePmGroup } from '../../src/features/patch-management/api/pm-groups/delete-pm-group.ts'
import { removePmGroupAssignment } from '../../src/features/patch-management/api/pm-groups/remove-pm-group-assignment.ts'
import { removePmGroupPatch } from '../../src/features/patch-management/api/pm-groups/remove-pm-group-patch.ts'
import { type MissingPatch, missingPatches } from '../../src/features/patches/missing-patches.ts'
import { listPatchesToFix } from '../../src/features/patches/released-patches.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, db, given, fleet } = await openPatchWorld()
const reader = as('computer.read')

const types = ['SecurityPatch', 'SecurityTool', 'NonSecurityPatch', 'SoftwareDistribution', 'CustomAction'] as const

// Three computers: the first two are in one configuration group, the first also in an assignment group, the third in none.
const { group, computer, other } = await fleet()
const [root, pilots] = [await given.root('ConfigurationGroups'), await given.group({ tree: 'AssignmentGroups' })]
await given.member(pilots, computer)
const third = await given.computer()
const computers = [computer, other, third]
const nodes = [root, group, pilots]
const products = [await given.product(), await given.product()]
const isServicePack = (at: number) => at >= 8
const catalog = await Promise.all(
  Array.from({ length: 10 }, (_, at) =>
    given.patch({ products, patch_type: types[at % types.length] as string, is_service_pack: isServicePack(at) }),
  ),
)
const links = catalog.flatMap((patch, at) =>
  products.map((product) => ({ patch, product, isServicePack: isServicePack(at) })),
)
/** Two PM groups for patches and one for service packs, created for each run. */
let pmGroups: { id: number }[] = []
const servicePackGroup = 2

type Link = (typeof links)[number]

const anyLink = fc.nat(links.length - 1)
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('scan' as const),
      who: fc.nat(computers.length - 1),
      missing: fc.uniqueArray(anyLink, { maxLength: 12 }),
      installed: fc.uniqueArray(anyLink, { maxLength: 12 }),
    }),
  },
  fc.record({ what: fc.constantFrom('approve' as const, 'revoke' as const), link: anyLink }),
  fc.record({ what: fc.constantFrom('list' as const, 'unlist' as const), pm: fc.nat(1), link: anyLink }),
  fc.record({
    what: fc.constantFrom('assign' as const, 'test' as const, 'unassign' as const),
    pm: fc.nat(2),
    node: fc.nat(2),
  }),
)

const linkAt = (at: number) => links[at] as Link
const keyOf = ({ patch, product }: Link) => `${patch.id}/${product.id}`

/** The expected state, in plain maps. */
class Model {
  found = new Map<number, Map<string, 'Missing' | 'Installed'>>()
  approved = new Set<string>()
  listed = [new Set<string>(), new Set<string>(), new Set<string>()]
  /** Whether the assignment of a PM group is a test, by PM group and node. */
  assigned = [new Map<number, boolean>(), new Map<number, boolean>(), new Map<number, boolean>()]

  /** The nodes of each computer, nearest first; the assignment tree comes after the configuration tree. */
  static readonly reach = [[1, 2, 0], [1, 0], []] as const

  assignedTo(who: number, key: string): boolean {
    return this.listed.some(
      (keys, pm) => keys.has(key) && (Model.reach[who] ?? []).some((node) => this.assigned[pm]?.has(node)),
    )
  }

  releasedTo(who: number, key: string): boolean {
    return this.listed.some((keys, pm) => {
      const nearest = (Model.reach[who] ?? []).find((node) => this.assigned[pm]?.has(node))
      if (nearest === undefined || !keys.has(key)) return false
      return this.approved.has(key) || this.assigned[pm]?.get(nearest) === true
    })
  }
}

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function perform(model: Model, action: Step): Promise<void> {
  if (action.what === 'scan') {
    const rows = new Map<string, 'Missing' | 'Installed'>()
    for (const at of action.installed) rows.set(keyOf(linkAt(at)), 'Installed')
    for (const at of action.missing) rows.set(keyOf(linkAt(at)), 'Missing')
    model.found.set(action.who, rows)
    const reported = links.flatMap((link) => {
      const status = rows.get(keyOf(link))
      return status ? [{ key: link.patch.key, product: link.product.name, status }] : []
    })
    await given.patchScan(computers[action.who] ?? computer, reported)
  } else if ('node' in action) await performAssignment(model, action)
  else if ('pm' in action) await performListing(model, action)
  else {
    const link = linkAt(action.link)
    if (action.what === 'approve') model.approved.add(keyOf(link))
    else model.approved.delete(keyOf(link))
    await as('pm.approve').call(action.what === 'approve' ? approvePatch : revokePatchApproval, {
      params: { patchId: link.patch.id },
      query: { productId: link.product.id },
    })
  }
}

async function performAssignment(model: Model, { what, pm, node }: Extract<Step, { node: number }>): Promise<void> {
  const params = { id: pmGroups[pm]?.id ?? 0 }
  const treeId = nodes[node]?.id ?? ''
  if (what === 'unassign') {
    model.assigned[pm]?.delete(node)
    await as('pm.write').call(removePmGroupAssignment, { params: { ...params, treeId } })
  } else {
    const isTestAssignment = what === 'test'
    model.assigned[pm]?.set(node, isTestAssignment)
    const assigned = await as('pm.write').call(assignPmGroup, { params, body: { treeId, isTestAssignment } })
    expect(assigned.body.isTestAssignment).toBe(isTestAssignment)
  }
}

async function performListing(model: Model, action: Extract<Step, { link: number; pm: number }>): Promise<void> {
  const { patch, product, isServicePack } = linkAt(action.link)
  const pm = isServicePack ? servicePackGroup : action.pm
  const key = keyOf(linkAt(action.link))
  const id = pmGroups[pm]?.id ?? 0
  if (action.what === 'list') {
    model.listed[pm]?.add(key)
    const body = { patchId: patch.id, productId: product.id }
    const added = await as('pm.write').call(addPmGroupPatches, { params: { id }, body })
    expect(added.body.patchCount).toBe(1)
  } else {
    model.listed[pm]?.delete(key)
    await as('pm.write').call(removePmGroupPatch, {
      params: { id, patchId: patch.id },
      query: { productId: product.id },
    })
  }
}

const key = ({ patchId, productId }: { patchId: number; productId: number }) => `${patchId}/${productId}`

async function expectAgreement(model: Model): Promise<void> {
  const fleetRows = await reader.call(listPatchStatusDevices, { query: { top: 1000 } })
  const fragment = await sql<MissingPatch>`${missingPatches}`.execute(db)
  for (const [who, { id }] of computers.entries()) {
    const found = model.found.get(who)
    const wanted = (status: string) => [...(found ?? [])].filter(([, one]) => one === status).map(([link]) => link)
    const missing = wanted('Missing').sort()

    const details = (await reader.call(searchComputerPatches, { params: { id }, query: { top: 1000 } })).body.items
    const assigned = await reader.call(searchComputerPatches, { params: { id }, body: { isAssigned: true } })
    const { body: status } = await reader.call(getComputerPatchStatus, { params: { id } })
    const here = fleetRows.body.items.filter(({ clientId }) => clientId === id)

    const missingIn = (rows: { patchId: number; productId: number; scanStatus: string | null }[]) =>
      rows
        .filter(({ scanStatus }) => scanStatus === 'Missing')
        .map(key)
        .sort()
    expect(missingIn(details)).toEqual(missing)
    expect(missingIn(here)).toEqual(missing)
    expect(
      fragment.rows
        .filter(({ computer_id }) => computer_id === id)
        .map((row) => `${row.patch_id}/${row.product_id}`)
        .sort(),
    ).toEqual(missing)
    expect(details.length).toBe(found?.size ?? 0)
    const ofType = (...names: string[]) =>
      found ? details.filter((row) => row.scanStatus === 'Missing' && names.includes(row.patchType)).length : null
    expect(status).toMatchObject({
      missingSecurityPatches: ofType('SecurityPatch'),
      missingNonSecurityPatches: ofType('SecurityTool', 'NonSecurityPatch'),
    })
    const allFound = [...(found?.keys() ?? [])].sort()
    const ofGroups = allFound.filter((link) => model.assignedTo(who, link))
    expect(assigned.body.items.map(key).sort()).toEqual(ofGroups)
    expect(
      here
        .filter(({ isAssigned }) => isAssigned)
        .map(key)
        .sort(),
    ).toEqual(ofGroups)
    expect((await listPatchesToFix(db, id)).map(key).sort()).toEqual(
      missing.filter((link) => model.releasedTo(who, link)),
    )
  }
}

/** Starts a run without scans and approvals, and with new PM groups. */
async function reset(): Promise<void> {
  await db.deleteFrom('patch_scans').execute()
  for (const { id } of pmGroups) await as('pm.write').call(deletePmGroup, { params: { id } })
  for (const { id: patchId } of catalog) await as('pm.approve').call(revokePatchApproval, { params: { patchId } })
  pmGroups = [await given.pmGroup(), await given.pmGroup(), await given.pmGroup({ category: 'ServicePack' })]
}

test('after any sequence of scans, approvals and assignments, all operations agree on missing, assigned and released patches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (actions) => {
      await reset()
      const model = new Model()

      for (const action of actions) await perform(model, action as Step)

      await expectAgreement(model)
    }),
    { numRuns: modelRuns(4) },
  )
}, 60_000)

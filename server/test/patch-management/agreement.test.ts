import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getComputerPatchStatus } from '../../src/features/patch-management/api/computer-patches/get-computer-patch-status.ts'
import { listPatchStatusDevices } from '../../src/features/patch-management/api/computer-patches/list-patch-status-devices.ts'
import { searchComputerPatches } from '../../src/features/patch-management/api/computer-patches/search-computer-patches.ts'
import { listPatchesToFix, type MissingPatch, missingPatches } from '../../src/features/patches/missing-patches.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, db, given, fleet } = await openPatchWorld()
const reader = as('computer.read')

const types = ['SecurityPatch', 'SecurityTool', 'NonSecurityPatch', 'SoftwareDistribution', 'CustomAction'] as const

// Three computers: two in a group below another one, of which one is in an assignment group too; the third is elsewhere.
const { group, computer, other } = await fleet()
const [above, pilots] = [await given.root('ConfigurationGroups'), await given.group({ tree: 'AssignmentGroups' })]
await given.member(pilots, computer)
const third = await given.computer()
const computers = [computer, other, third]
const nodes = [above, group, pilots]
const products = [await given.product(), await given.product()]
const catalog = await Promise.all(
  Array.from({ length: 10 }, (_, at) =>
    given.patch({ products, patch_type: types[at % types.length] as string, is_service_pack: at >= 8 }),
  ),
)
const links = catalog.flatMap((patch) => products.map((product) => ({ patch, product })))
const pmGroups = [await given.pmGroup(), await given.pmGroup()]

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
    pm: fc.nat(1),
    node: fc.nat(2),
  }),
)

const linkAt = (at: number) => links[at] as Link
const keyOf = ({ patch, product }: Link) => `${patch.id}/${product.id}`

/** What the readers should tell, kept in plain maps. */
class Model {
  found = new Map<number, Map<string, 'Missing' | 'Installed'>>()
  approved = new Set<string>()
  listed = [new Set<string>(), new Set<string>()]
  /** Of each PM group, by node: whether its assignment is a test. */
  assigned = [new Map<number, boolean>(), new Map<number, boolean>()]

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
    const told = links.flatMap((link) => {
      const status = rows.get(keyOf(link))
      return status ? [{ key: link.patch.key, product: link.product.name, status }] : []
    })
    await given.patchScan(computers[action.who] ?? computer, told)
  } else if ('node' in action) {
    const [pmGroup, node] = [pmGroups[action.pm] as { id: number }, nodes[action.node] as { id: string }]
    await sql`
      delete from pm_group_assignments where pm_group_id = ${pmGroup.id} and group_id = ${node.id}`.execute(db)
    model.assigned[action.pm]?.delete(action.node)
    if (action.what === 'unassign') return
    model.assigned[action.pm]?.set(action.node, action.what === 'test')
    await given.pmAssignment(pmGroup, node, { isTest: action.what === 'test' })
  } else if ('pm' in action) {
    const link = linkAt(action.link)
    const row = { pm_group_id: pmGroups[action.pm]?.id ?? 0, patch_id: link.patch.id, product_id: link.product.id }
    if (action.what === 'list') model.listed[action.pm]?.add(keyOf(link))
    else model.listed[action.pm]?.delete(keyOf(link))
    await sql`
      delete from pm_group_patches where (pm_group_id, patch_id, product_id)
        = (${row.pm_group_id}, ${row.patch_id}, ${row.product_id})`.execute(db)
    if (action.what === 'list') await db.insertInto('pm_group_patches').values(row).execute()
  } else {
    const link = linkAt(action.link)
    if (action.what === 'approve') model.approved.add(keyOf(link))
    else model.approved.delete(keyOf(link))
    await sql`
      update patch_links set approved_at = ${action.what === 'approve' ? new Date() : null}
      where (patch_id, product_id) = (${link.patch.id}, ${link.product.id})`.execute(db)
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

async function reset(): Promise<void> {
  for (const table of ['patch_scans', 'pm_group_patches', 'pm_group_assignments'] as const)
    await db.deleteFrom(table).execute()
  await db.updateTable('patch_links').set({ approved_at: null }).execute()
}

test('whatever scans find and whoever approves, all readers tell the same of missing, assigned and released patches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (actions) => {
      await reset()
      const model = new Model()

      for (const action of actions) await perform(model, action as Step)

      await expectAgreement(model)
    }),
    { numRuns: 15 },
  )
}, 60_000)

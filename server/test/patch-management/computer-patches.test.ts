import { expect, test } from 'vitest'
import { getComputerPatchStatus } from '../../src/features/patch-management/api/computer-patches/get-computer-patch-status.ts'
import { listComputerPmGroups } from '../../src/features/patch-management/api/computer-patches/list-computer-pm-groups.ts'
import { listPatchStatusDevices } from '../../src/features/patch-management/api/computer-patches/list-patch-status-devices.ts'
import { searchComputerPatches } from '../../src/features/patch-management/api/computer-patches/search-computer-patches.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, given, scannable } = await openPatchWorld()
const reader = as('computer.read')
const nobody = 2_000_000_000

async function search(id: number, body: object) {
  const { body: found } = await reader.call(searchComputerPatches, { params: { id }, body })
  return found.items.map(({ patchId }) => patchId)
}

test('a computer without a scan has a status without dates and counts, and no patches', async () => {
  const { id } = await given.computer()

  const status = await reader.call(getComputerPatchStatus, { params: { id } })
  const patches = await reader.call(searchComputerPatches, { params: { id } })

  expect(status.body).toEqual({
    clientId: id,
    patchScanDate: null,
    patchDefinitionDate: null,
    definitionVersion: null,
    missingSecurityPatches: null,
    missingNonSecurityPatches: null,
    missingServicePacks: null,
    hasSecurityRisks: null,
  })
  expect(patches.body.items).toEqual([])
})

test('missing patches are counted by their type, installed ones are not', async () => {
  const computer = await given.computer()
  const [security, tool, other, pack, action, installed] = [
    await scannable(),
    await scannable({ patch_type: 'SecurityTool' }),
    await scannable({ patch_type: 'NonSecurityPatch' }),
    await scannable({ patch_type: 'SoftwareDistribution', is_service_pack: true }),
    await scannable({ patch_type: 'CustomAction' }),
    await scannable(),
  ]
  const scannedAt = new Date('2026-03-01T10:00:00Z')

  await given.patchScan(
    computer,
    [security, tool, other, pack, action].map(({ missing }) => missing).concat(installed.installed),
    { scannedAt, definitionVersion: '17' },
  )

  const { body } = await reader.call(getComputerPatchStatus, { params: { id: computer.id } })
  expect(body).toEqual({
    clientId: computer.id,
    patchScanDate: scannedAt.toISOString(),
    patchDefinitionDate: null,
    definitionVersion: '17',
    missingSecurityPatches: 1,
    missingNonSecurityPatches: 2,
    missingServicePacks: 1,
    hasSecurityRisks: true,
  })
})

test('nothing missing is no risk', async () => {
  const computer = await given.computer()
  await given.patchScan(computer, [(await scannable()).installed])

  const { body } = await reader.call(getComputerPatchStatus, { params: { id: computer.id } })

  expect(body).toMatchObject({ missingSecurityPatches: 0, missingServicePacks: 0, hasSecurityRisks: false })
})

test('the patches of a computer are found by each criterion', async () => {
  const computer = await given.computer()
  const group = await given.group()
  await given.member(group, computer)
  const wanted = await scannable({
    bulletin_id: 'B-1',
    vendor_severity: 'Important',
    service_pack: 'SP3',
    patch_type: 'SecurityTool',
    release_date: '2030-05-02',
    update_date: '2030-05-03',
    cvss_score: 7.5,
    vrr_score: 6.5,
  })
  const other = await scannable()
  await given.patchScan(computer, [wanted.missing, other.installed])
  await given.pmAssignment(await given.pmGroup({ patches: [wanted] }), group)
  const criteria = [
    { scanStatus: 'missing' },
    { vendorSeverity: 'import' },
    { productName: wanted.product.name.slice(3).toUpperCase() },
    { servicePack: 'sp3' },
    { qNumber: wanted.key.toLowerCase() },
    { bulletinId: 'b-1' },
    { patchType: 'SecurityTool' },
    { patchType: 4 },
    { isAssigned: true },
    { releasedAfter: '2030-05-02' },
    { updatedAfter: '2030-05-03' },
    { minCvssScore: 7.5 },
    { minVrrScore: 6.5 },
  ]

  for (const body of criteria)
    expect({ body, found: await search(computer.id, body) }).toEqual({ body, found: [wanted.id] })
  expect(await search(computer.id, { isAssigned: false })).toEqual([other.id])
  expect(await search(computer.id, { scanStatus: 'gone' })).toEqual([])
  expect(await search(computer.id, { scanStatus: null, qNumber: '' })).toEqual([wanted.id, other.id])
})

test('one patch on the fleet is found by id, number, name, status and by what the computer is', async () => {
  const group = await given.group()
  const near = await given.computer({ name: 'till-1', domain: 'shop.example', lastSeen: new Date() })
  const far = await given.computer({ domain: 'far.example' })
  await given.member(group, near)
  const patch = await scannable()
  await given.patchScan(near, [{ ...patch.installed, installedAt: new Date('2026-01-02T03:04:05Z') }])
  await given.patchScan(far, [patch.missing])
  const queries = [
    { patchId: patch.id, scanStatus: 'INSTALLED' },
    { qNumber: patch.key.toLowerCase(), domain: 'SHOP.example' },
    { patchName: patch.name.slice(2), hostnameContains: 'TILL' },
    { patchId: patch.id, groupId: group.id, IsEmpty: true },
    { patchId: patch.id, lastSeenWithinDays: 1 },
  ]

  for (const query of queries) {
    const { body } = await reader.call(listPatchStatusDevices, { query })
    expect(body.items).toMatchObject([
      {
        id: patch.id,
        patchId: patch.id,
        patchUid: patch.uid,
        productId: patch.product.id,
        productName: patch.product.name,
        clientId: near.id,
        hostname: 'till-1',
        domain: 'shop.example',
        scanStatus: 'Installed',
        patchStatus: 'NotApproved',
        isAssigned: false,
        installedDate: '2026-01-02T03:04:05.000Z',
      },
    ])
  }
  const all = await reader.call(listPatchStatusDevices, { query: { patchId: patch.id } })
  expect(all.body.items.map(({ clientId }) => clientId)).toEqual([near.id, far.id])
})

test('the same patch of two products is two rows', async () => {
  const computer = await given.computer()
  const [one, other] = [await given.product(), await given.product()]
  const patch = await given.patch({ products: [one, other] })
  await given.patchScan(computer, [
    { key: patch.key, product: one.name, status: 'Missing' },
    { key: patch.key, product: other.name, status: 'Installed' },
  ])

  const { body } = await reader.call(searchComputerPatches, { params: { id: computer.id } })

  expect(body.items.map(({ productId, scanStatus }) => [productId, scanStatus])).toEqual([
    [one.id, 'Missing'],
    [other.id, 'Installed'],
  ])
})

test('the nearest assignment of a PM group counts, with its distance as tier', async () => {
  const computer = await given.computer()
  const above = await given.group()
  const group = await given.group({ parent: above })
  const elsewhere = await given.group({ tree: 'AssignmentGroups' })
  for (const one of [group, elsewhere]) await given.member(one, computer)
  const [near, far] = [await given.pmGroup(), await given.pmGroup({ category: 'ServicePack' })]
  await given.pmAssignment(near, above)
  await given.pmAssignment(near, elsewhere, { isTest: true })
  await given.pmAssignment(far, above, { isTest: true })
  await given.pmAssignment(await given.pmGroup(), await given.group())

  const { body } = await reader.call(listComputerPmGroups, { params: { id: computer.id } })

  expect(body.items).toEqual([
    {
      treeId: elsewhere.id,
      pmGroupId: near.id,
      pmGroupName: near.name,
      category: 'Patch',
      isTestAssignment: true,
      tier: 0,
    },
    {
      treeId: above.id,
      pmGroupId: far.id,
      pmGroupName: far.name,
      category: 'ServicePack',
      isTestAssignment: true,
      tier: 1,
    },
  ])
})

test('reads of an unknown computer say so', async () => {
  const params = { id: nobody }

  const answers = [
    await reader.call(getComputerPatchStatus, { params }),
    await reader.call(searchComputerPatches, { params }),
    await reader.call(listComputerPmGroups, { params }),
  ]

  for (const answer of answers) expect(answer).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
})

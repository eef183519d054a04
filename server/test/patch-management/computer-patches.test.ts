import { expect, test } from 'vitest'
import { getComputerPatchStatus } from '../../src/features/patch-management/api/computer-patches/get-computer-patch-status.ts'
import { listComputerPmGroups } from '../../src/features/patch-management/api/computer-patches/list-computer-pm-groups.ts'
import { listPatchStatusDevices } from '../../src/features/patch-management/api/computer-patches/list-patch-status-devices.ts'
import { searchComputerPatches } from '../../src/features/patch-management/api/computer-patches/search-computer-patches.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, given, scannablePatch } = await openPatchWorld()
const reader = as('computer.read')
const unknownId = 2_000_000_000

async function searchPatchIds(id: number, body: object) {
  const { body: found } = await reader.call(searchComputerPatches, { params: { id }, body })
  return found.items.map(({ patchId }) => patchId)
}

test('a computer without a patch scan has no patches, and its patch status has neither dates nor counts', async () => {
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
    ignoredPatches: null,
    isOfPreviousSystem: null,
  })
  expect(patches.body.items).toEqual([])
})

test('the patch status counts missing patches by type and ignores installed patches', async () => {
  const computer = await given.computer()
  const [security, tool, other, pack, action, installed] = [
    await scannablePatch(),
    await scannablePatch({ patch_type: 'SecurityTool' }),
    await scannablePatch({ patch_type: 'NonSecurityPatch' }),
    await scannablePatch({ patch_type: 'SoftwareDistribution', is_service_pack: true }),
    await scannablePatch({ patch_type: 'CustomAction' }),
    await scannablePatch(),
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
    ignoredPatches: 0,
    isOfPreviousSystem: false,
  })
})

test('a computer without missing patches has no security risks', async () => {
  const computer = await given.computer()
  await given.patchScan(computer, [(await scannablePatch()).installed])

  const { body } = await reader.call(getComputerPatchStatus, { params: { id: computer.id } })

  expect(body).toMatchObject({ missingSecurityPatches: 0, missingServicePacks: 0, hasSecurityRisks: false })
})

test('a search finds the patches of a computer by each criterion', async () => {
  const computer = await given.computer()
  const group = await given.group()
  await given.member(group, computer)
  const wanted = await scannablePatch({
    bulletin_id: 'B-1',
    vendor_severity: 'Important',
    service_pack: 'SP3',
    patch_type: 'SecurityTool',
    release_date: '2030-05-02',
    update_date: '2030-05-03',
    cvss_score: 7.5,
    vrr_score: 6.5,
  })
  const other = await scannablePatch()
  await given.patchScan(computer, [wanted.missing, other.installed])
  await given.pmAssignment(await given.pmGroup({ patches: [wanted] }), group)
  const criteria = [
    { scanStatus: 'missing' },
    { scanStatus: 'Miss' },
    { vendorSeverity: 'import' },
    { productName: wanted.product.name.slice(3).toUpperCase() },
    { servicePack: 'sp3' },
    { qNumber: wanted.key.slice(3).toUpperCase() },
    { bulletinId: '-1' },
    { patchType: 'SecurityTool' },
    { patchType: 4 },
    { isAssigned: true },
    { releasedAfter: '2030-05-02' },
    { updatedAfter: '2030-05-03' },
    { minCvssScore: 7.5 },
    { minVrrScore: 6.5 },
  ]

  for (const body of criteria)
    expect({ body, found: await searchPatchIds(computer.id, body) }).toEqual({ body, found: [wanted.id] })
  expect(await searchPatchIds(computer.id, { isAssigned: false })).toEqual([other.id])
  expect(await searchPatchIds(computer.id, { scanStatus: 'gone' })).toEqual([])
  expect(await searchPatchIds(computer.id, { scanStatus: 'S' })).toEqual([wanted.id, other.id])
  expect(await searchPatchIds(computer.id, { scanStatus: null, qNumber: '' })).toEqual([wanted.id, other.id])
})

test('the computers with a patch are found by the id, number, name and status of the patch and by the fleet filters', async () => {
  const group = await given.group()
  const near = await given.computer({ name: 'till-1', domain: 'shop.example', lastSeen: new Date() })
  const far = await given.computer({ domain: 'far.example' })
  await given.member(group, near)
  const patch = await scannablePatch()
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

test('a patch of two products is listed once per product', async () => {
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

test('the nearest assignment of a PM group is effective, and its distance is the tier', async () => {
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

test('reading the patches of an unknown computer answers 404', async () => {
  const params = { id: unknownId }

  const answers = [
    await reader.call(getComputerPatchStatus, { params }),
    await reader.call(searchComputerPatches, { params }),
    await reader.call(listComputerPmGroups, { params }),
  ]

  for (const answer of answers) expect(answer).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { putPatchScan } from '../../src/channels/agent/patches/put-patch-scan.ts'
import { getComputerPatchStatus } from '../../src/features/patch-management/api/computer-patches/get-computer-patch-status.ts'
import { listPatchStatusDevices } from '../../src/features/patch-management/api/computer-patches/list-patch-status-devices.ts'
import { searchComputerPatches } from '../../src/features/patch-management/api/computer-patches/search-computer-patches.ts'
import { listPatchProducts } from '../../src/features/patches/api/list-patch-products.ts'
import { searchPatches } from '../../src/features/patches/api/search-patches.ts'
import { validate } from '../../src/platform/validation.ts'
import { fingerprints } from '../world/tables.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, db, given, scannablePatch } = await openPatchWorld()

async function listScanResults(id: number) {
  const { body } = await as('computer.read').call(searchComputerPatches, { params: { id } })
  return body.items.map(({ patchId, scanStatus }) => [patchId, scanStatus])
}

/** The physical location of each row of the last scan. A row that is written again gets a new one. */
async function rowLocations(id: number) {
  const { rows } = await sql`
    select patch_id, ctid, xmin from computer_patches where computer_id = ${id} order by patch_id`.execute(db)
  return rows
}

test('a patch scan replaces the result of the previous scan', async () => {
  const computer = await given.computer()
  const [removed, fixed, unchanged] = [await scannablePatch(), await scannablePatch(), await scannablePatch()]
  await given.patchScan(computer, [removed.missing, fixed.missing, unchanged.missing])

  await given.patchScan(computer, [fixed.installed, unchanged.missing])

  expect(await listScanResults(computer.id)).toEqual([
    [fixed.id, 'Installed'],
    [unchanged.id, 'Missing'],
  ])
})

test('a lock on the computer and a restart are shown as long as the patch is missing, and nothing else is rewritten', async () => {
  const computer = await given.computer()
  const [patch, other] = [await scannablePatch(), await scannablePatch()]
  const locked = { ...patch.missing, lockedBy: 'apt-mark hold', restartSuggested: true }
  const shown = async () => {
    const { body } = await as('computer.read').call(searchComputerPatches, { params: { id: computer.id } })
    const { body: fleet } = await as('computer.read').call(listPatchStatusDevices, { query: { patchId: patch.id } })
    const found = [body.items.find(({ patchId }) => patchId === patch.id), fleet.items[0]]
    return found.map((item) => [item?.lockedBy, item?.restartSuggested])
  }
  await given.patchScan(computer, [locked, other.missing])
  const locations = await rowLocations(computer.id)

  await given.patchScan(computer, [locked, other.missing])
  expect(await rowLocations(computer.id)).toEqual(locations)
  expect(await shown()).toEqual([
    ['apt-mark hold', true],
    ['apt-mark hold', true],
  ])
  await given.patchScan(computer, [patch.missing, other.missing])
  expect((await rowLocations(computer.id))[1]).toEqual(locations[1])
  expect(await shown()).toEqual([
    [null, null],
    [null, null],
  ])
  // An agent may state it of an installed patch as well, where it means nothing.
  await given.patchScan(computer, [{ ...locked, ...patch.installed }, other.missing])
  expect((await shown())[0]).toEqual([null, null])
})

test('a patch scan with the same result writes only its date', async () => {
  const computer = await given.computer()
  const patches = [await scannablePatch(), await scannablePatch()].map(({ missing }) => missing)
  await given.patchScan(computer, patches)
  const before = await rowLocations(computer.id)

  await given.patchScan(computer, patches.toReversed())

  expect(await rowLocations(computer.id)).toEqual(before)
})

test('storing the same patch scan twice changes nothing', async () => {
  const computer = await given.computer()
  const scan = { scannedAt: new Date('2026-02-03T04:05:06Z'), definitionVersion: '1' }
  const { missing } = await scannablePatch()
  await given.patchScan(computer, [missing], scan)
  const before = await fingerprints(db)

  await given.patchScan(computer, [missing], scan)

  expect(await fingerprints(db)).toEqual(before)
})

test('a scan adds an unknown patch with the reported details, and later scans do not change them', async () => {
  const [one, other] = [await given.computer(), await given.computer()]
  const reported = {
    key: 'unknown 1.0',
    product: 'Unknown OS 1',
    status: 'Missing' as const,
    severity: 'Critical',
    type: 'SecurityPatch' as const,
    title: 'unknown security update',
    cves: ['CVE-2026-7777'],
  }
  await given.patchScan(one, [reported])

  await given.patchScan(other, [{ ...reported, key: 'UNKNOWN 1.0', product: 'unknown os 1', severity: 'Low' }])

  const { body } = await as('pm.read').call(searchPatches, { body: { cve: 'CVE-2026-7777' } })
  expect(body.items).toMatchObject([
    { patchName: 'unknown 1.0', vendorSeverity: 'Critical', patchType: 'SecurityPatch', productCount: 1 },
  ])
  const patchId = body.items[0]?.patchId ?? 0
  expect((await as('pm.read').call(listPatchProducts, { params: { patchId } })).body.items).toMatchObject([
    { productName: 'Unknown OS 1', linkItems: 1, isApproved: false },
  ])
})

test('a scan does not change the details of a known patch but may link it to another product', async () => {
  const computer = await given.computer()
  const patch = await scannablePatch({ vendor_severity: 'Low' })

  await given.patchScan(computer, [{ ...patch.missing, product: 'One more product', severity: 'Critical' }])

  const { body } = await as('pm.read').call(searchPatches, { body: { qNumber: patch.key } })
  expect(body.items).toMatchObject([{ vendorSeverity: 'Low', productCount: 2 }])
})

test('a patch that a scan reports as installed and as missing is missing', async () => {
  const computer = await given.computer()
  const patch = await scannablePatch()

  await given.patchScan(computer, [patch.installed, patch.missing, patch.installed])

  expect(await listScanResults(computer.id)).toEqual([[patch.id, 'Missing']])
})

test('a computer whose clock is ahead cannot date a patch scan into the future', async () => {
  const computer = await given.computer()

  await given.patchScan(computer, [], { scannedAt: new Date('2099-01-01T00:00:00Z') })

  const { body } = await as('computer.read').call(getComputerPatchStatus, { params: { id: computer.id } })
  expect(Date.parse(body.patchScanDate ?? '')).toBeLessThanOrEqual(Date.now() + 1_000)
})

test('concurrent scans of several computers that report the same new patches are all stored', async () => {
  const computers = await Promise.all(Array.from({ length: 8 }, () => given.computer()))
  const patches = Array.from({ length: 30 }, (_, at) => ({
    key: `simultaneous ${at}`,
    product: `Simultaneous OS ${at % 3}`,
    status: 'Missing' as const,
  }))

  await Promise.all(computers.map((computer, at) => given.patchScan(computer, at % 2 ? patches : patches.toReversed())))

  for (const { id } of computers) {
    const { body } = await as('computer.read').call(getComputerPatchStatus, { params: { id } })
    expect(body.missingNonSecurityPatches).toBe(30)
  }
})

test('an invalid patch scan of an agent is refused', () => {
  const report = { scannedUtc: '2026-03-01T00:00:00Z', patches: [{ key: 'a', product: 'b', status: 'Missing' }] }
  const wrong = [
    { ...report, colour: 'red' },
    { ...report, patches: [{ key: ' ', product: 'b', status: 'Missing' }] },
    { ...report, patches: [{ key: 'a', product: 'b', status: 'Broken' }] },
    { ...report, patches: [{ key: 'a', product: 'b', status: 'Missing', cves: ['drop table'] }] },
    { ...report, patches: [{ key: 'a'.repeat(256), product: 'b', status: 'Missing' }] },
    { patches: [] },
  ]

  validate('body', putPatchScan.body, structuredClone(report))
  for (const body of wrong) expect(() => validate('body', putPatchScan.body, structuredClone(body))).toThrow()
})

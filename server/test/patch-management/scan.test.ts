import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { putPatchScan } from '../../src/channels/agent/patches/put-patch-scan.ts'
import { getComputerPatchStatus } from '../../src/features/patch-management/api/computer-patches/get-computer-patch-status.ts'
import { searchComputerPatches } from '../../src/features/patch-management/api/computer-patches/search-computer-patches.ts'
import { listPatchProducts } from '../../src/features/patches/api/list-patch-products.ts'
import { searchPatches } from '../../src/features/patches/api/search-patches.ts'
import { validate } from '../../src/platform/validation.ts'
import { fingerprints } from '../world/tables.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, db, given, scannable } = await openPatchWorld()

async function foundOn(id: number) {
  const { body } = await as('computer.read').call(searchComputerPatches, { params: { id } })
  return body.items.map(({ patchId, scanStatus }) => [patchId, scanStatus])
}

/** Where each row of the last scan lies; a row that is rewritten moves. */
async function places(id: number) {
  const { rows } = await sql`
    select patch_id, ctid, xmin from computer_patches where computer_id = ${id} order by patch_id`.execute(db)
  return rows
}

test('a scan replaces the one before', async () => {
  const computer = await given.computer()
  const [gone, fixed, kept] = [await scannable(), await scannable(), await scannable()]
  await given.patchScan(computer, [gone.missing, fixed.missing, kept.missing])

  await given.patchScan(computer, [fixed.installed, kept.missing])

  expect(await foundOn(computer.id)).toEqual([
    [fixed.id, 'Installed'],
    [kept.id, 'Missing'],
  ])
})

test('a scan that finds the same writes nothing but its date', async () => {
  const computer = await given.computer()
  const patches = [await scannable(), await scannable()].map(({ missing }) => missing)
  await given.patchScan(computer, patches)
  const before = await places(computer.id)

  await given.patchScan(computer, patches.toReversed())

  expect(await places(computer.id)).toEqual(before)
})

test('the same scan twice changes nothing at all', async () => {
  const computer = await given.computer()
  const scan = { scannedAt: new Date('2026-02-03T04:05:06Z'), definitionVersion: '1' }
  const { missing } = await scannable()
  await given.patchScan(computer, [missing], scan)
  const before = await fingerprints(db)

  await given.patchScan(computer, [missing], scan)

  expect(await fingerprints(db)).toEqual(before)
})

test('a patch that nobody knows is added with what the scan tells, and later scans do not change it', async () => {
  const [one, other] = [await given.computer(), await given.computer()]
  const told = {
    key: 'unheard 1.0',
    product: 'Unheard OS 1',
    status: 'Missing' as const,
    severity: 'Critical',
    type: 'SecurityPatch' as const,
    title: 'unheard security update',
    cves: ['CVE-2026-7777'],
  }
  await given.patchScan(one, [told])

  await given.patchScan(other, [{ ...told, key: 'UNHEARD 1.0', product: 'unheard os 1', severity: 'Low' }])

  const { body } = await as('pm.read').call(searchPatches, { body: { cve: 'CVE-2026-7777' } })
  expect(body.items).toMatchObject([
    { patchName: 'unheard 1.0', vendorSeverity: 'Critical', patchType: 'SecurityPatch', productCount: 1 },
  ])
  const patchId = body.items[0]?.patchId ?? 0
  expect((await as('pm.read').call(listPatchProducts, { params: { patchId } })).body.items).toMatchObject([
    { productName: 'Unheard OS 1', linkItems: 1, isApproved: false },
  ])
})

test('a known patch is not changed by a scan, but may be for one more product', async () => {
  const computer = await given.computer()
  const patch = await scannable({ vendor_severity: 'Low' })

  await given.patchScan(computer, [{ ...patch.missing, product: 'One more product', severity: 'Critical' }])

  const { body } = await as('pm.read').call(searchPatches, { body: { qNumber: patch.key } })
  expect(body.items).toMatchObject([{ vendorSeverity: 'Low', productCount: 2 }])
})

test('a patch that is told twice is missing', async () => {
  const computer = await given.computer()
  const patch = await scannable()

  await given.patchScan(computer, [patch.installed, patch.missing, patch.installed])

  expect(await foundOn(computer.id)).toEqual([[patch.id, 'Missing']])
})

test('a clock that is ahead does not date a scan into the future', async () => {
  const computer = await given.computer()

  await given.patchScan(computer, [], { scannedAt: new Date('2099-01-01T00:00:00Z') })

  const { body } = await as('computer.read').call(getComputerPatchStatus, { params: { id: computer.id } })
  expect(Date.parse(body.patchScanDate ?? '')).toBeLessThanOrEqual(Date.now() + 1_000)
})

test('computers that tell of the same new patches at once all get their rows', async () => {
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

test('what an agent may not send is refused', () => {
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

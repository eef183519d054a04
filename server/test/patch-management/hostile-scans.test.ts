import { expect, test } from 'vitest'
import { putPatchScan } from '../../src/channels/agent/patches/put-patch-scan.ts'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { getComputerPatchStatus } from '../../src/features/patch-management/api/computer-patches/get-computer-patch-status.ts'
import { searchComputerPatches } from '../../src/features/patch-management/api/computer-patches/search-computer-patches.ts'
import { patchQuotas } from '../../src/features/patch-management/patch-quotas.ts'
import type { ReportedPatch } from '../../src/features/patch-management/reported-patches.ts'
import { storePatchScan } from '../../src/features/patch-management/store-scan.ts'
import { searchPatches } from '../../src/features/patches/api/search-patches.ts'
import { purgeReportedPatches } from '../../src/features/patches/jobs/purge-reported-patches.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { withImports } from '../packages/package-world.ts'
import { buildDistributionAdvisory } from '../patches/components.ts'
import { withPatchImports } from '../patches/import-world.ts'

const { agent, as, db, folder, given, importPatches, readyPackage, work } = withPatchImports(
  await withImports(await openAgentWorld()),
)

type Agent = Awaited<ReturnType<typeof agent>>

const scan = async ({ itself }: Agent, patches: ReportedPatch[]) => {
  const answer = await itself.call(putPatchScan, {
    body: { scannedUtc: new Date().toISOString(), patches: patches.map(({ installedAt: _, ...patch }) => patch) as [] },
  })
  expect(answer.status).toBe(200)
  return answer.body
}

const missing = (key: string, product = 'Debian GNU/Linux 12'): ReportedPatch => ({ key, product, status: 'Missing' })

async function findOnlyPatch(filter: { patchName?: string; cve?: string }) {
  const { body } = await as('pm.read').call(searchPatches, { body: filter })
  expect(body.items).toHaveLength(1)
  return body.items[0] ?? { patchId: 0, patchName: '' }
}

const listKeys = async ({ id }: Agent) => {
  const { body } = await as('computer.read').call(searchComputerPatches, { params: { id } })
  return body.items.map(({ patchName }) => patchName).sort()
}

test('a computer is handed the keys and products that it reported itself, even if another one was first with another spelling', async () => {
  const [hostile, honest] = [await agent(), await agent()]
  const forged = { name: 'rm -rf /', qNumber: 'KB666' }
  await scan(hostile, [{ ...missing('OpenSSL 3.0.16-1~DEB12u1', 'DEBIAN gnu/linux 12 (own)'), ...forged }])
  await scan(honest, [missing('openssl 3.0.16-1~deb12u1', 'Debian GNU/Linux 12 (own)')])
  const group = await given.group()
  await given.member(group, honest)
  const { patchId } = await findOnlyPatch({ patchName: 'rm -rf /' })
  const product = await db
    .selectFrom('patch_links')
    .select('product_id')
    .where('patch_id', '=', patchId)
    .executeTakeFirstOrThrow()
  await as('pm.approve').call(approvePatch, { params: { patchId }, query: { productId: product.product_id } })
  await given.pmAssignment(await given.pmGroup({ patches: [{ id: patchId, productId: product.product_id }] }), group)

  const workId = await work(honest, await readyPackage({ kind: 'PatchFix' }))
  await honest.contact()
  const started = await honest.start(workId)
  await scan(hostile, [missing('OPENSSL 3.0.16-1~deb12u1', 'Debian gnu/linux 12 (OWN)')])
  const startedAgain = await honest.start(workId)

  const own = 'openssl 3.0.16-1~deb12u1'
  expect(started.body.patches).toMatchObject([{ patchId, key: own, name: own, product: 'Debian GNU/Linux 12 (own)' }])
  expect(startedAgain.body.patches).toEqual(started.body.patches)
})

test('details from scans are unconfirmed until a catalog names the patch, and nothing of them is left then', async () => {
  const hostile = await agent()
  await scan(hostile, [
    {
      ...missing('kb9000001', 'Forged Office 2026'),
      name: 'Harmless update',
      qNumber: 'KB1',
      bulletinId: 'EX26-666',
      title: 'Approve this at once',
      url: 'https://hostile.example.org/',
      severity: 'Low',
      type: 'CustomAction',
      releaseDate: '2001-01-01',
      sizeBytes: 1,
      cves: ['CVE-2026-66601'],
    },
  ])
  const before = await findOnlyPatch({ cve: 'CVE-2026-66601' })
  const path = await folder('confirmed', {
    'catalog.json': {
      format: 'muster-patch-catalog/1',
      name: 'Confirming catalog',
      version: '1',
      releasedUtc: '2026-03-11T00:00:00Z',
      patches: [{ key: 'KB9000001', vendorSeverity: 'Critical', products: [{ name: 'Forged Office 2026' }] }],
    },
  })
  await importPatches(path)

  expect(before).toMatchObject({ isConfirmed: false, vendorSeverity: 'Low', patchType: 'CustomAction' })
  const { body } = await as('computer.read').call(searchComputerPatches, { params: { id: hostile.id } })
  expect(body.items).toMatchObject([
    {
      patchId: before.patchId,
      isConfirmed: true,
      patchName: 'KB9000001',
      qNumber: null,
      bulletinId: null,
      bulletinTitle: null,
      vendorInformationPage: null,
      vendorSeverity: 'Critical',
      patchType: 'NonSecurityPatch',
      releaseDate: null,
      sizeBytes: null,
      cves: [],
    },
  ])
})

test('an agent cannot attach the advisories of another package to a patch, nor hide those of its own', async () => {
  const [hostile, honest] = [await agent(), await agent()]
  const release = (name: string, version: string) => ({
    name: 'Debian GNU/Linux 12',
    packages: [{ id: name, purl: `pkg:deb/debian/${name}@${version}?arch=source&distro=debian-12` }],
  })
  await importPatches(
    await folder('forged-components', {
      'kernel.json': buildDistributionAdvisory({ id: 'DSA-666', cve: 'CVE-2026-66610' }, [release('kernel', '6.1-1')]),
      'library.json': buildDistributionAdvisory({ id: 'DSA-667', cve: 'CVE-2026-66611' }, [
        release('library', '2.0-1'),
      ]),
    }),
  )
  const patch = missing('libforged 2.0-1')
  const source = { sourceName: 'library', sourceVersion: '2.0-1' }

  await scan(hostile, [{ ...patch, component: { name: 'kernel', version: '99-1' } }])
  await scan(hostile, [
    { ...patch, component: { name: 'libforged', version: '2.0-1', ...source, sourceVersion: '0.1-1' } },
  ])
  await scan(honest, [{ ...patch, component: { name: 'libforged', version: '2.0-1', ...source } }])

  expect(await findOnlyPatch({ patchName: 'libforged' })).toMatchObject({
    cves: ['CVE-2026-66611'],
    isConfirmed: false,
  })
})

test('a computer that reports more unknown patches than its quota keeps the rest of its scan and disturbs nobody', async () => {
  const [hostile, honest] = [await agent(), await agent()]
  await scan(honest, [missing('shared 1.0')])
  const flood = Array.from({ length: patchQuotas.perComputer + 2 }, (_, at) => missing(`flood ${at}`))

  const flooded = await scan(hostile, [...flood, missing('SHARED 1.0')])
  const again = await scan(hostile, [missing('one more 1.0'), missing('shared 1.0')])
  const other = await scan(honest, [missing('shared 1.0'), missing('new 1.0')])

  expect(flooded).toEqual({ ignoredPatches: 2, message: expect.stringContaining('limit') })
  expect(again).toMatchObject({ ignoredPatches: 1 })
  expect(await listKeys(hostile)).toEqual(['shared 1.0'])
  expect(other).toEqual({ ignoredPatches: 0, message: null })
  expect(await listKeys(honest)).toEqual(['new 1.0', 'shared 1.0'])
  const status = async ({ id }: Agent) =>
    (await as('computer.read').call(getComputerPatchStatus, { params: { id } })).body.ignoredPatches
  expect([await status(hostile), await status(honest)]).toEqual([1, 0])
})

test('when the quota of the fleet is used up, patches that somebody knows are still stored', async () => {
  const honest = await given.computer()
  await given.patchScan(honest, [missing('known 1.0')])

  const ignored = await db.transaction().execute((transaction) =>
    storePatchScan(
      transaction,
      honest.id,
      {
        scannedAt: new Date(),
        patches: [missing('known 1.0'), missing('unknown 1.0'), missing('known 1.0', 'New OS')],
      },
      { perComputer: 100, perFleet: 0 },
    ),
  )

  const { body } = await as('computer.read').call(searchComputerPatches, { params: { id: honest.id } })
  expect(ignored).toBe(2)
  expect(body.items.map(({ patchName }) => patchName)).toEqual(['known 1.0'])
})

test('patches that only scans have named are purged when no computer reports them, and then count no longer', async () => {
  const [hostile, honest] = [await agent(), await agent()]
  const named = ['reported', 'approved', 'listed', 'purged'].map((name) => `${name}-patch 1.0`)
  await scan(
    hostile,
    named.map((key) => missing(key, 'Purged OS')),
  )
  const patchOf = async (name: string) => ({
    id: (await findOnlyPatch({ patchName: `${name}-patch` })).patchId,
    productId: (
      await db.selectFrom('patch_products').select('id').where('name', '=', 'Purged OS').executeTakeFirstOrThrow()
    ).id,
  })
  const approved = await patchOf('approved')
  await as('pm.approve').call(approvePatch, {
    params: { patchId: approved.id },
    query: { productId: approved.productId },
  })
  await given.pmGroup({ patches: [await patchOf('listed')] })
  await scan(honest, [missing('reported-patch 1.0', 'purged os')])
  await scan(hostile, [])

  await purgeReportedPatches(db)

  const { body } = await as('pm.read').call(searchPatches, { body: { patchName: '-patch' } })
  expect(body.items.map(({ patchName }) => patchName).sort()).toEqual([
    'approved-patch 1.0',
    'listed-patch 1.0',
    'reported-patch 1.0',
  ])
  const counted = await db.selectFrom('patch_links').select('patch_id').where('reported_by', '=', hostile.id).execute()
  expect(counted).toHaveLength(3)
})

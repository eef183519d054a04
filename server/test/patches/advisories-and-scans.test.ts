import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { putPatchScan } from '../../src/channels/agent/patches/put-patch-scan.ts'
import { searchComputerPatches } from '../../src/features/patch-management/api/computer-patches/search-computer-patches.ts'
import { storePatchScan } from '../../src/features/patch-management/store-scan.ts'
import { listPatches } from '../../src/features/patches/api/list-patches.ts'
import type { ReportedComponent } from '../../src/features/patches/components/component-keys.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { withImports } from '../packages/package-world.ts'
import { buildDistributionAdvisory, type FixedRelease } from './components.ts'
import { buildAdvisory } from './csaf.ts'
import { withPatchImports } from './import-world.ts'

const { as, db, agent, folder, importPatches, findPatch } = withPatchImports(await withImports(await openAgentWorld()))

const debian12 = 'Debian GNU/Linux 12'

type ScannedPatch = Omit<(typeof putPatchScan)['body']['static']['patches'][number], 'installedUtc'>

/** The scan of an agent on a new computer. Returns the id of the computer. */
async function reportScan(patch: ScannedPatch): Promise<number> {
  const { id, itself } = await agent()
  const scanned = await itself.call(putPatchScan, { body: { scannedUtc: new Date().toISOString(), patches: [patch] } })
  expect(scanned.status).toBe(200)
  return id
}

/** A scan of a new computer that lacks one patch. Returns a function that reads the patch as the computer shows it. */
async function scanMissing(key: string, product: string, component?: ReportedComponent) {
  const id = await reportScan({
    key,
    product,
    status: 'Missing',
    type: 'SecurityPatch',
    ...(component && { component }),
  })
  return async () => {
    const { body } = await as('computer.read').call(searchComputerPatches, { params: { id } })
    const [patch] = body.items
    const { patchName, bulletinId, vendorSeverity, cvssScore, cves, vendorInformationPage } = patch ?? {}
    return { patchName, bulletinId, vendorSeverity, cvssScore, cves, vendorInformationPage }
  }
}

let imports = 0
const importDocuments = async (...documents: object[]) =>
  importPatches(
    await folder(
      `matching/${++imports}`,
      Object.fromEntries(documents.map((document, at) => [`${at}.json`, document])),
    ),
  )

const debianRelease = (name: string, version: string, source = name): FixedRelease => ({
  name: debian12,
  packages: [
    { id: name, purl: `pkg:deb/debian/${source}@${encodeURIComponent(version)}?arch=source&distro=debian-12` },
  ],
})

const undescribed = { bulletinId: null, vendorSeverity: null, cvssScore: null, cves: [], vendorInformationPage: null }

test('a scanned Debian patch gets CVEs, score, severity and link from the advisory, whichever comes first', async () => {
  const advisory = (id: string, name: string) =>
    buildDistributionAdvisory({ id, severity: 'Critical', score: 9.1, cve: 'CVE-2026-4001' }, [
      debianRelease(name, '3.0.16-1~deb12u1'),
    ])
  const scannedFirst = await scanMissing('first 3.0.16-1~deb12u1', debian12)
  expect(await scannedFirst()).toMatchObject(undescribed)
  await importDocuments(advisory('DSA-1', 'first'), advisory('DSA-2', 'second'))
  const scannedSecond = await scanMissing('second 3.0.16-1~deb12u1', debian12)

  const expected = { vendorSeverity: 'Critical', cvssScore: 9.1, cves: ['CVE-2026-4001'] }
  expect(await scannedFirst()).toEqual({
    ...expected,
    patchName: 'first 3.0.16-1~deb12u1',
    bulletinId: 'DSA-1',
    vendorInformationPage: 'https://vendor.example.org/DSA-1',
  })
  expect(await scannedSecond()).toEqual({
    ...expected,
    patchName: 'second 3.0.16-1~deb12u1',
    bulletinId: 'DSA-2',
    vendorInformationPage: 'https://vendor.example.org/DSA-2',
  })
})

test('a patch fixes what an advisory fixes in the same or an earlier version, by the order of the package manager', async () => {
  await importDocuments(
    buildDistributionAdvisory({ id: 'DSA-10', cve: 'CVE-2026-4010' }, [debianRelease('ordered', '1:1.10-1~deb12u2')]),
  )

  const cves = async (version: string) => (await (await scanMissing(`ordered ${version}`, debian12))()).cves

  expect(await cves('1:1.10-1~deb12u1')).toEqual([])
  expect(await cves('2.0-1')).toEqual([])
  expect(await cves('1:1.9-1')).toEqual([])
  expect(await cves('1:1.10-1~deb12u2')).toEqual(['CVE-2026-4010'])
  expect(await cves('1:1.10-1')).toEqual(['CVE-2026-4010'])
  expect(await cves('1:1.11~rc1-1')).toEqual(['CVE-2026-4010'])
})

test('a patch fixes only what the lowest version that it replaces lacks', async () => {
  await importDocuments(
    buildDistributionAdvisory({ id: 'DSA-21', cve: 'CVE-2026-4021', severity: 'Critical' }, [
      debianRelease('step', '1.1-1'),
    ]),
    buildDistributionAdvisory({ id: 'DSA-22', cve: 'CVE-2026-4022', severity: 'Low' }, [
      debianRelease('step', '1.2-1'),
    ]),
  )
  const component = (installedVersion: string) => ({ name: 'step', version: '1.3-1', installedVersion })

  const patch = await scanMissing('step 1.3-1', debian12, component('1.1-1'))
  const ofNewest = await patch()
  await scanMissing('step 1.3-1', debian12, component('1.0-1'))

  expect(ofNewest).toMatchObject({ cves: ['CVE-2026-4022'], vendorSeverity: 'Low' })
  expect(await patch()).toMatchObject({
    cves: ['CVE-2026-4021', 'CVE-2026-4022'],
    vendorSeverity: 'Critical',
    bulletinId: 'DSA-22',
  })
})

test('an advisory about a source package describes the packages that are built from it', async () => {
  await importDocuments(
    buildDistributionAdvisory({ id: 'USN-1', cve: 'CVE-2026-4030' }, [
      {
        name: 'Ubuntu 24.04 LTS',
        packages: [{ id: 'openssl', purl: 'pkg:deb/ubuntu/openssl@3.0.13-0ubuntu3.5?arch=source&distro=noble' }],
      },
    ]),
  )

  const source = { sourceName: 'openssl', sourceVersion: '3.0.13-0ubuntu3.5' }
  const component = { name: 'libssl3t64', version: '3.0.13-0ubuntu3.5', ...source }
  const built = await scanMissing('libssl3t64 3.0.13-0ubuntu3.5', 'Ubuntu 24.04', component)
  const ofOtherRelease = await scanMissing('libssl3 3.0.13-0ubuntu3.5', 'Ubuntu 22.04', {
    ...component,
    name: 'libssl3',
  })

  expect((await built()).cves).toEqual(['CVE-2026-4030'])
  expect((await ofOtherRelease()).cves).toEqual([])
})

test('RPM advisories describe patches by the CPE of the release, and by package URL or file name', async () => {
  await importDocuments(
    buildDistributionAdvisory({ id: 'RHSA-1', cve: 'CVE-2026-4040' }, [
      {
        name: 'Red Hat Enterprise Linux BaseOS (v. 9)',
        cpe: 'cpe:/o:redhat:enterprise_linux:9::baseos',
        packages: [{ id: 'openssl-libs', purl: 'pkg:rpm/redhat/openssl-libs@3.0.7-27.el9?arch=x86_64&epoch=1' }],
      },
    ]),
    buildDistributionAdvisory({ id: 'RLSA-1', cve: 'CVE-2026-4041' }, [
      {
        name: 'Rocky Linux 9',
        cpe: 'cpe:2.3:o:rocky:rocky:9:*:*:*:*:*:*:*',
        packages: [{ id: 'squid-7:5.5-6.el9_3.2.x86_64' }, { id: 'squid-7:5.5-6.el9_3.2.src' }],
      },
    ]),
  )

  const redHat = await scanMissing('openssl-libs 1:3.0.7-27.el9', 'Red Hat Enterprise Linux 9.5')
  const older = await scanMissing('openssl-libs 3.0.9-1.el9', 'Red Hat Enterprise Linux 9.5')
  const rocky = await scanMissing('squid 7:5.5-6.el9_3.10', 'Rocky Linux 9.4')

  expect((await redHat()).cves).toEqual(['CVE-2026-4040'])
  expect((await older()).cves).toEqual([])
  expect((await rocky()).cves).toEqual(['CVE-2026-4041'])
})

test('of two streams of a component in one advisory, a version of the other stream is not regarded as fixed', async () => {
  await importDocuments(
    buildDistributionAdvisory({ id: 'RHSA-2', cve: 'CVE-2026-4050' }, [
      {
        name: 'Red Hat Enterprise Linux AppStream (v. 8)',
        cpe: 'cpe:/a:redhat:enterprise_linux:8::appstream',
        packages: [
          { id: 'nodejs-18', purl: 'pkg:rpm/redhat/nodejs@18.20.2-1.module%2Bel8.9.0%2B1?arch=x86_64&epoch=1' },
          { id: 'nodejs-20', purl: 'pkg:rpm/redhat/nodejs@20.12.2-1.module%2Bel8.9.0%2B1?arch=x86_64&epoch=1' },
        ],
      },
    ]),
  )
  const cves = async (version: string) =>
    (await (await scanMissing(`nodejs ${version}`, 'Red Hat Enterprise Linux 8.10'))()).cves

  expect(await cves('1:18.20.2-1.module+el8.9.0+1')).toEqual(['CVE-2026-4050'])
  expect(await cves('1:20.9.0-1.module+el8.9.0+1')).toEqual([])
  expect(await cves('1:20.13.0-1.module+el8.9.0+1')).toEqual(['CVE-2026-4050'])
})

test('a revision that drops a package takes its details away, and what the scan reported remains', async () => {
  const advisory = (revised: string, name: string) =>
    buildDistributionAdvisory({ id: 'DSA-60', revised, cve: 'CVE-2026-4060' }, [debianRelease(name, '1.0-1')])
  const id = await reportScan({
    key: 'dropped 1.0-1',
    product: debian12,
    status: 'Missing',
    severity: 'Low',
    sizeBytes: 4711,
  })
  const read = async () => (await as('computer.read').call(searchComputerPatches, { params: { id } })).body.items[0]
  await importDocuments(advisory('2026-03-02', 'dropped'))
  expect(await read()).toMatchObject({ cves: ['CVE-2026-4060'], vendorSeverity: 'Important', sizeBytes: 4711 })

  await importDocuments(advisory('2026-03-03', 'kept'))

  expect(await read()).toMatchObject({ cves: [], vendorSeverity: 'Low', bulletinId: null, sizeBytes: 4711 })
})

test('an import that begins while a scan is being stored takes the scan into account', async () => {
  const advisory = buildDistributionAdvisory({ id: 'DSA-70', cve: 'CVE-2026-4070' }, [debianRelease('race', '1.0-1')])
  const { id } = await agent()
  const patch = { key: 'race 1.0-1', product: debian12, status: 'Missing' as const }

  const importing = await db.transaction().execute(async (transaction) => {
    await storePatchScan(transaction, id, { scannedAt: new Date(), patches: [patch] })
    let isFinished = false
    const finished = importDocuments(advisory).finally(() => {
      isFinished = true
    })
    const isWaiting = sql`select from pg_locks where locktype = 'advisory' and not granted`
    await until(async () => (isFinished || (await isWaiting.execute(db)).rows.length > 0 ? true : undefined), 20_000)
    return { finished }
  })
  await importing.finished

  const { body } = await as('computer.read').call(searchComputerPatches, { params: { id } })
  expect(body.items).toMatchObject([{ cves: ['CVE-2026-4070'] }])
})

test('two publishers that use the same id have a patch each, in every revision', async () => {
  const advisory = (publisher: string, product: string, revised: string) => ({
    ...buildDistributionAdvisory({ id: 'CVE-2023-2454', publisher, revised, cve: 'CVE-2023-2454' }, [
      { name: product, packages: [{ id: 'postgresql', purl: 'pkg:rpm/redhat/postgresql@13.11-1.el9?arch=src' }] },
    ]),
  })
  const both = (revised: string) => [
    advisory('https://one.example.org', 'One 9', revised),
    advisory('https://other.example.org', 'Other 9', revised),
  ]
  await importDocuments(...both('2026-03-01'))

  expect(await importDocuments(...both('2026-03-02').toReversed())).toMatchObject({ imported: 2 })

  const { body } = await as('pm.read').call(listPatches, { query: { bulletinId: 'CVE-2023-2454' } })
  expect(body.items).toMatchObject([{ productCount: 1 }, { productCount: 1 }])
})

test('documents without a fix are known and counted apart, and are not patches', async () => {
  const advisory = buildAdvisory({ id: 'VEX-1', cve: 'CVE-2026-4090' })
  const [vulnerability] = advisory.vulnerabilities
  const { remediations: _, ...unfixed } = { ...vulnerability, product_status: { known_not_affected: ['P0'] } }
  const document = { ...advisory, vulnerabilities: [unfixed] }

  const first = await importDocuments(document, buildAdvisory({ id: 'VEX-2' }))
  const again = await importDocuments(document)

  expect(first).toMatchObject({ documents: 2, imported: 1, withoutFix: 1, unchanged: 0, refused: 0 })
  expect(first.message).toBe('Read 2 documents: 1 imported, 1 without a fix, 0 unchanged, 0 refused.')
  expect(again).toMatchObject({ documents: 1, imported: 0, withoutFix: 0, unchanged: 1 })
  expect(await findPatch('VEX-1')).toBeUndefined()
})

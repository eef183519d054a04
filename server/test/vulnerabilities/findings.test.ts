import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { getVulnerability } from '../../src/features/vulnerabilities/api/get-vulnerability.ts'
import { listComputerVulnerabilities } from '../../src/features/vulnerabilities/api/list-computer-vulnerabilities.ts'
import { listVulnerabilities } from '../../src/features/vulnerabilities/api/list-vulnerabilities.ts'
import { listVulnerabilitySources } from '../../src/features/vulnerabilities/api/list-vulnerability-sources.ts'
import { listVulnerableComputers } from '../../src/features/vulnerabilities/api/list-vulnerable-computers.ts'
import { builtFrom, openVulnerabilityWorld, osv, trackerEntry } from './vulnerability-world.ts'

const { as, importDocuments, computerWith, reportSoftware, follow } = await openVulnerabilityWorld()
const reader = as('pm.read', 'computer.read')

const findingsOf = async ({ id }: { id: number }) => {
  const { body } = await reader.call(listComputerVulnerabilities, { params: { id } })
  return body.items.flatMap(({ key, packages }) =>
    packages.map((one) => [key, one.productName, one.packageVersion, one.fixedVersion, one.match]),
  )
}

const found = async (key: string) => (await reader.call(getVulnerability, { params: { key } })).body

const bookworm = (release: object) => trackerEntry({ bookworm: release })

const fixedIn = (version: string) => bookworm({ status: 'resolved', fixed_version: version })

test('a computer has the vulnerabilities of the source packages from which its packages are built', async () => {
  const old = builtFrom('glass', 'libglass3', '3.0.15-1~deb12u1')
  const computer = await computerWith([
    old,
    builtFrom('glass', 'glass', '3.0.15-1~deb12u1'),
    builtFrom('wood', 'libwood1', '1:2.0-1'),
  ])
  const patched = await computerWith([
    builtFrom('glass', 'libglass3', '3.0.16-1~deb12u1'),
    builtFrom('wood', 'libwood1', '1:2.0-1'),
  ])

  const { status, message } = await importDocuments('DebianTracker', {
    'tracker.json': {
      glass: {
        'CVE-2026-2001': fixedIn('3.0.16-1~deb12u1'),
        'CVE-2026-2002': fixedIn('3.0.15-1~deb12u1'),
        'CVE-2026-2003': bookworm({ status: 'open' }),
      },
      // Without the epoch, the installed version would be older than this one.
      wood: { 'CVE-2026-2004': fixedIn('2.1-1') },
      libglass3: { 'CVE-2026-2005': fixedIn('9.0-1') },
    },
  })

  expect({ status, message }).toEqual({
    status: 'Success',
    message: 'Read 1 documents: 5 vulnerabilities, 5 ranges of versions, 0 documents refused.',
  })
  expect((await findingsOf(computer)).toSorted()).toEqual([
    ['CVE-2026-2001', 'glass', '3.0.15-1~deb12u1', '3.0.16-1~deb12u1', 'SourcePackage'],
    ['CVE-2026-2001', 'libglass3', '3.0.15-1~deb12u1', '3.0.16-1~deb12u1', 'SourcePackage'],
    ['CVE-2026-2003', 'glass', '3.0.15-1~deb12u1', null, 'SourcePackage'],
    ['CVE-2026-2003', 'libglass3', '3.0.15-1~deb12u1', null, 'SourcePackage'],
  ])
  expect((await findingsOf(patched)).map(([key]) => key)).toEqual(['CVE-2026-2003'])
  expect(await found('cve-2026-2001')).toMatchObject({
    state: 'Open',
    affectedComputers: 1,
    openComputers: 1,
    hasFix: true,
  })
  expect(await found('CVE-2026-2003')).toMatchObject({ state: 'Open', affectedComputers: 2, hasFix: false })
  expect(await found('CVE-2026-2002')).toMatchObject({ state: 'NotPresent', packages: [] })
})

test('a vulnerability appears with the inventory that brings it, and is fixed with the one that removes it', async () => {
  await importDocuments(
    'DebianTracker',
    { 'a.json': { stone: { 'CVE-2026-2101': fixedIn('2.0-1') } } },
    { source: 'follow' },
  )
  const computer = await computerWith([builtFrom('stone', 'stone', '1.0-1')])
  await follow()

  const open = await found('CVE-2026-2101')
  await reportSoftware(computer, [builtFrom('stone', 'stone', '2.0-1')])
  await follow()
  const fixed = await found('CVE-2026-2101')

  expect(open).toMatchObject({ state: 'Open', openComputers: 1, fixedUtc: null })
  expect(open.packages).toMatchObject([{ productName: 'stone', computers: 1, source: 'follow', platform: 'debian-12' }])
  expect(fixed).toMatchObject({ state: 'Fixed', openComputers: 0, packages: [] })
  expect(fixed.firstSeenUtc).toBe(open.firstSeenUtc)
  expect(fixed.fixedUtc).not.toBeNull()
})

test('a package of one release says nothing about another release of the distribution', async () => {
  const newer = await computerWith([builtFrom('sand', 'sand', '1.0-1')], {
    osName: 'Debian GNU/Linux',
    osVersion: '13',
  })
  const other = await computerWith([builtFrom('sand', 'sand', '1.0-1')], { osName: 'Ubuntu', osVersion: '24.04' })
  const affected = await computerWith([builtFrom('sand', 'sand', '1.0-1')])

  await importDocuments(
    'DebianTracker',
    { 'a.json': { sand: { 'CVE-2026-2201': fixedIn('2.0-1') } } },
    { source: 'releases' },
  )

  const { body } = await reader.call(listVulnerableComputers, { params: { key: 'CVE-2026-2201' } })
  expect(body.items.map(({ clientId }) => clientId)).toEqual([affected.id])
  expect(await findingsOf(newer)).toEqual([])
  expect(await findingsOf(other)).toEqual([])
})

test('packages of RPM are found by their own name and by that of their source package, with the epoch', async () => {
  const alma = { osName: 'AlmaLinux', osVersion: '9.4' }
  const computer = await computerWith(
    [
      { productName: 'iron-libs', version: '3.0.7-27.el9', sourceName: 'iron', sourceVersion: '1:3.0.7-27.el9' },
      { productName: 'tin-libs', version: '1.0-1.el9', sourceName: 'tin', sourceVersion: '1.0-1.el9' },
    ],
    alma,
  )
  const events = (fixed: string) => [{ introduced: '0' }, { fixed }]

  await importDocuments(
    'Osv',
    {
      'binary.json': osv('ALSA-2026:1', 'AlmaLinux:9', 'iron-libs', events('1:3.0.7-28.el9'), {
        related: ['CVE-2026-2301'],
      }),
      'fixed.json': osv('ALSA-2026:2', 'AlmaLinux:9', 'iron-libs', events('3.0.8-1.el9'), {
        related: ['CVE-2026-2302'],
      }),
      'source.json': osv('ALSA-2026:3', 'AlmaLinux:9', 'tin', events('0:1.0-2.el9'), { related: ['CVE-2026-2303'] }),
      'stream.json': osv('ALSA-2026:4', 'AlmaLinux:9', 'tin', events('9.0-1.module_el9.3.0+1+a'), {
        related: ['CVE-2026-2304'],
      }),
    },
    { source: 'alma' },
  )

  expect((await findingsOf(computer)).toSorted()).toEqual([
    ['CVE-2026-2301', 'iron-libs', '1:3.0.7-27.el9', '1:3.0.7-28.el9', 'BinaryPackage'],
    ['CVE-2026-2303', 'tin-libs', '1.0-1.el9', '0:1.0-2.el9', 'SourcePackage'],
  ])
})

test('of an agent that reports no source packages, the name of a Debian package is an assumption, and it is dropped later', async () => {
  const computer = await computerWith([
    { productName: 'clay', version: '1.0-1' },
    { productName: 'clay-tools', version: '1.0-1' },
  ])
  const ofRpm = await computerWith([{ productName: 'clay', version: '1.0-1.el9' }], {
    osName: 'AlmaLinux',
    osVersion: '9.4',
  })
  await importDocuments(
    'DebianTracker',
    { 'a.json': { clay: { 'CVE-2026-2401': fixedIn('2.0-1') } } },
    { source: 'assumed' },
  )

  const assumed = await findingsOf(computer)
  const { body: before } = await reader.call(listComputerVulnerabilities, { params: { id: computer.id } })
  const { body: unknown } = await reader.call(listComputerVulnerabilities, { params: { id: ofRpm.id } })
  await reportSoftware(computer, [builtFrom('mud', 'clay', '1.0-1'), builtFrom('clay', 'clay-tools', '1.0-1')])
  await follow()

  expect(assumed).toEqual([['CVE-2026-2401', 'clay', '1.0-1', '2.0-1', 'PackageName']])
  expect(before).toMatchObject({ platform: 'debian-12', comparedPackages: 2, assumedPackages: 2, installedPackages: 2 })
  expect(unknown).toMatchObject({ platform: 'almalinux-9', comparedPackages: 0, installedPackages: 1, items: [] })
  expect(await findingsOf(computer)).toEqual([['CVE-2026-2401', 'clay-tools', '1.0-1', '2.0-1', 'SourcePackage']])
})

test('what one computer reports about the source of a package cannot hide what another one reports', async () => {
  const liar = await computerWith([{ productName: 'lead', version: '1.0-1', sourceName: 'gold', sourceVersion: '99' }])
  const honest = await computerWith([builtFrom('lead', 'lead', '1.0-1')])

  await importDocuments(
    'DebianTracker',
    { 'a.json': { lead: { 'CVE-2026-2501': fixedIn('2.0-1') } } },
    { source: 'liar' },
  )

  for (const computer of [liar, honest])
    expect((await findingsOf(computer)).map(([key]) => key)).toEqual(['CVE-2026-2501'])
})

test('an import takes the place of the earlier one of its source as a whole, and of no other source', async () => {
  const computer = await computerWith([builtFrom('salt', 'salt', '1.0-1')])
  const documents = (cve: string) => ({ 'a.json': { salt: { [cve]: fixedIn('2.0-1') } } })
  await importDocuments('DebianTracker', documents('CVE-2026-2601'), { source: 'salt-1' })
  await importDocuments('DebianTracker', documents('CVE-2026-2602'), { source: 'salt-2' })
  const again = await importDocuments('DebianTracker', documents('CVE-2026-2602'), { source: 'salt-2' })

  await importDocuments('DebianTracker', documents('CVE-2026-2603'), { source: 'salt-1' })
  const invalid = await importDocuments('DebianTracker', { 'a.json': '{"salt": {' }, { source: 'salt-1' })
  const empty = await importDocuments('DebianTracker', { 'a.json': {} }, { source: 'salt-1' })

  expect(again).toMatchObject({ status: 'Success', isUnchanged: true })
  expect(invalid).toMatchObject({ status: 'Failed', message: 'a.json is not valid JSON.' })
  expect(empty.status).toBe('Failed')
  expect((await findingsOf(computer)).map(([key]) => key).toSorted()).toEqual(['CVE-2026-2602', 'CVE-2026-2603'])
  const { body: sources } = await reader.call(listVulnerabilitySources)
  expect(sources.filter(({ name }) => name.startsWith('salt'))).toMatchObject([
    { name: 'salt-1', format: 'DebianTracker', ranges: 1, vulnerabilities: 1 },
    { name: 'salt-2', ranges: 1 },
  ])
})

test('an invalid document of OSV is refused with a reason, and the others count', async () => {
  const computer = await computerWith([builtFrom('moss', 'moss', '1.0-1')])

  const status = await importDocuments(
    'Osv',
    {
      'broken.json': '{',
      'good.json': osv('CVE-2026-2701', 'Debian:12', 'moss', [{ introduced: '0' }]),
      'other.json': osv('CVE-2026-2702', 'RubyGems', 'moss', [{ introduced: '0' }]),
    },
    { source: 'osv-moss' },
  )

  expect(status).toMatchObject({ status: 'Success', documents: 3, refused: 1, ignored: 1, ranges: 1 })
  expect(status.faults).toEqual([{ file: 'broken.json', reason: 'is not valid JSON in UTF-8' }])
  expect(await findingsOf(computer)).toEqual([['CVE-2026-2701', 'moss', '1.0-1', null, 'SourcePackage']])
})

test('the list begins with vulnerabilities that are known to be exploited, and filters by what is known about them', async () => {
  await computerWith([builtFrom('fern', 'fern', '1.0-1')])
  const keys = ['CVE-2026-2801', 'CVE-2026-2802', 'CVE-2026-2803'] as const
  await importDocuments(
    'DebianTracker',
    {
      'a.json': {
        fern: { [keys[0]]: fixedIn('2.0-1'), [keys[1]]: bookworm({ status: 'open' }), [keys[2]]: fixedIn('3') },
      },
    },
    { source: 'ranks' },
  )
  await importDocuments('Kev', {
    'kev.json': { title: 'KEV', vulnerabilities: [{ cveID: keys[2], dateAdded: '2026-03-01', dueDate: '2026-03-22' }] },
  })
  const scores = gzipSync(`#model_version:v1\ncve,epss,percentile\n${keys[0]},0.5,0.9\n${keys[1]},0.01,0.2\n`)
  await importDocuments('Epss', { 'epss.csv.gz': scores }, { file: 'epss.csv.gz' })
  await importDocuments('Cvss', {
    'nvd.json': {
      vulnerabilities: [
        {
          cve: {
            id: keys[1],
            metrics: { cvssMetricV31: [{ type: 'Primary', cvssData: { baseScore: 9.8, vectorString: 'CVSS:3.1/…' } }] },
          },
        },
      ],
    },
  })
  const listed = async (query: object) =>
    (await reader.call(listVulnerabilities, { query: { search: 'CVE-2026-280', ...query } })).body.items.map(
      ({ key }) => key,
    )

  expect(await listed({})).toEqual([keys[2], keys[1], keys[0]])
  expect(await listed({ isKnownExploited: true })).toEqual([keys[2]])
  expect(await listed({ severity: ['Critical'] })).toEqual([keys[1]])
  expect(await listed({ minEpss: 0.5 })).toEqual([keys[0]])
  expect(await listed({ minCvss: 9.8 })).toEqual([keys[1]])
  expect(await listed({ hasFix: false })).toEqual([keys[1]])
  expect(await listed({ state: 'Fixed' })).toEqual([])
  expect(await found(keys[2])).toMatchObject({
    isKnownExploited: true,
    kevAddedOn: '2026-03-01',
    kevDueOn: '2026-03-22',
  })
  expect(await found(keys[1])).toMatchObject({ severity: 'Critical', cvssScore: 9.8, epssScore: 0.01 })
  expect((await reader.call(listVulnerabilities, { query: { top: 1, search: 'CVE-2026-280' } })).body).toMatchObject({
    totalCount: 3,
    hasMore: true,
  })
})

test('a vulnerability that no advisory names does not exist', async () => {
  const answer = await reader.call(getVulnerability, { params: { key: 'CVE-1999-0001' } })

  expect([answer.status, answer.problem]).toEqual([404, 'VulnerabilityNotFound'])
})

import { expect, test } from 'vitest'
import { createVulnerabilityException } from '../../src/features/vulnerabilities/api/create-vulnerability-exception.ts'
import { exportCsafVex } from '../../src/features/vulnerabilities/api/export-csaf-vex.ts'
import { exportVex } from '../../src/features/vulnerabilities/api/export-vex.ts'
import { getComputerSbom } from '../../src/features/vulnerabilities/api/get-computer-sbom.ts'
import { getVulnerability } from '../../src/features/vulnerabilities/api/get-vulnerability.ts'
import { importVex } from '../../src/features/vulnerabilities/api/import-vex.ts'
import { listComputerVulnerabilities } from '../../src/features/vulnerabilities/api/list-computer-vulnerabilities.ts'
import { listVulnerabilityExceptions } from '../../src/features/vulnerabilities/api/list-vulnerability-exceptions.ts'
import { builtFrom, openVulnerabilityWorld, osv, type ReportedPackage } from './vulnerability-world.ts'

const { as, db, importDocuments, computerWith, reportSoftware, follow } = await openVulnerabilityWorld()
const reader = as('pm.read', 'computer.read')
const approver = as('pm.approve')

const findingsOf = async ({ id }: { id: number }) => {
  const { body } = await reader.call(listComputerVulnerabilities, { params: { id } })
  return body.items
    .flatMap(({ key, packages }) =>
      packages.map((one) => [key, one.platform, one.package, one.packageVersion, one.fixedVersion].join(' ')),
    )
    .toSorted()
}

const openComputers = async (key: string) =>
  (await reader.call(getVulnerability, { params: { key } })).body.openComputers

const ofLanguage = (language: 'npm' | 'pypi', name: string, version: string): ReportedPackage => ({
  ...builtFrom(name, name, version),
  language,
})

const semverRange = (id: string, name: string, events: readonly object[]) => ({
  id,
  affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }],
})

test('packages of npm and PyPI are compared with advisories of their language, on every system', async () => {
  const packages = [
    ofLanguage('npm', '@scope/parser', '2.0.0-rc.1'),
    ofLanguage('pypi', 'Web_Client', '1.10'),
    // A package of the distribution with the same name is another one.
    builtFrom('web-client', 'web-client', '1.0-1'),
  ]
  const debian = await computerWith(packages)
  const other = await computerWith(packages, { osName: 'Some Linux', osVersion: '1' })
  await importDocuments(
    'Osv',
    {
      'a.json': semverRange('GHSA-aaaa-0001', '@scope/parser', [{ introduced: '0' }, { fixed: '2.0.0' }]),
      'b.json': osv('PYSEC-2026-1', 'PyPI', 'web.client', [{ introduced: '0' }, { fixed: '1.11' }]),
      'c.json': osv('PYSEC-2026-2', 'PyPI', 'web.client', [{ introduced: '0' }, { fixed: '1.9' }]),
    },
    { source: 'osv-languages' },
  )

  const expected = ['GHSA-aaaa-0001 npm @scope/parser 2.0.0-rc.1 2.0.0', 'PYSEC-2026-1 pypi web-client 1.10 1.11']
  expect(await findingsOf(debian)).toEqual(expected)
  expect(await findingsOf(other)).toEqual(expected)
  expect(await openComputers('GHSA-aaaa-0001')).toBe(2)

  await reportSoftware(debian, [ofLanguage('npm', '@scope/parser', '2.0.0')])
  await follow()
  expect(await findingsOf(debian)).toEqual([])
  expect(await openComputers('GHSA-aaaa-0001')).toBe(1)
})

test('an exception may be for a package of a language, and comes back from VEX in both formats', async () => {
  const name = '@scope/printer'
  await computerWith([ofLanguage('npm', name, '1.2.3')])
  await importDocuments(
    'Osv',
    { 'a.json': semverRange('CVE-2026-7701', name, [{ introduced: '0' }]) },
    { source: 'osv-npm' },
  )
  const key = 'CVE-2026-7701'
  await approver.call(createVulnerabilityException, {
    params: { key },
    body: { status: 'NotAffected', reason: 'Not reachable', package: name, platform: 'npm', packageVersion: '1.2.3' },
  })
  const { body: vex } = await reader.call(exportVex, { query: {} })
  const { body: csaf } = await reader.call(exportCsafVex, { query: {} })

  expect(await openComputers(key)).toBe(0)
  for (const document of [vex, csaf]) {
    await db.deleteFrom('vulnerability_exceptions').execute()
    const { body } = await approver.call(importVex, { body: { document: JSON.parse(JSON.stringify(document)) } })
    expect(body).toMatchObject({ created: 1, refused: 0 })
    const { items } = (await reader.call(listVulnerabilityExceptions, { query: { vulnerability: key } })).body
    expect(items).toMatchObject([{ package: name, platform: 'npm', packageVersion: '1.2.3', status: 'NotAffected' }])
    expect(await openComputers(key)).toBe(0)
  }
})

test('the bill of materials names packages of languages by their package URLs', async () => {
  const { id } = await computerWith([
    ofLanguage('npm', '@scope/viewer', '1.0.0'),
    ofLanguage('pypi', 'Big.Data', '3.1'),
  ])

  const { body } = await reader.call(getComputerSbom, { params: { id } })

  expect(body.components.map(({ type, purl }) => [type, purl])).toEqual([
    ['library', 'pkg:npm/%40scope/viewer@1.0.0'],
    ['library', 'pkg:pypi/big-data@3.1'],
  ])
})

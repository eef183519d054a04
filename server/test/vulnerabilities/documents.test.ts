import { describe, expect, test } from 'vitest'
import { scoreOfVector } from '../../src/features/vulnerabilities/documents/cvss.ts'
import {
  findPlatformOfDebianRelease,
  findPlatformOfEcosystem,
  findPlatformOfSystem,
} from '../../src/features/vulnerabilities/documents/ecosystems.ts'
import { readTrackerPackage } from '../../src/features/vulnerabilities/documents/read-debian-tracker.ts'
import { readEpssLine, readKevEntry, readNvdEntry } from '../../src/features/vulnerabilities/documents/read-facts.ts'
import { readOsv } from '../../src/features/vulnerabilities/documents/read-osv.ts'
import { osv, trackerEntry } from './vulnerability-world.ts'

const summary = ({ ranges }: ReturnType<typeof readOsv>) =>
  ranges.map((range) => [range.component, range.vulnerability, range.advisory, range.fixedVersion])

describe('documents of OSV', () => {
  test.each([
    ['Debian:12', 'debian-12'],
    ['Ubuntu:22.04:LTS', 'ubuntu-22.04'],
    ['Ubuntu:25.10', 'ubuntu-25.10'],
    ['AlmaLinux:9', 'almalinux-9'],
    ['Rocky Linux:8', 'rocky-8'],
    ['SUSE:Linux Enterprise Module for Basesystem 15 SP5', 'sles-15.5'],
    ['SUSE:Linux Enterprise Server 12 SP5', 'sles-12.5'],
    ['openSUSE:Leap 15.6', 'opensuse-leap-15.6'],
    ['Red Hat:enterprise_linux:9::baseos', 'redhat-9'],
    ['Ubuntu:Pro:22.04:LTS', undefined],
    ['SUSE:Linux Enterprise Server 12 SP5-LTSS', undefined],
    ['Debian', undefined],
    ['npm', 'npm'],
    ['PyPI', 'pypi'],
    ['RubyGems', undefined],
    ['constructor', undefined],
  ])('the ecosystem %s is the platform %s', (ecosystem, platform) => {
    expect(findPlatformOfEcosystem(ecosystem)?.key).toBe(platform)
  })

  test('an advisory is about the vulnerabilities that it stands for, otherwise about those it is related to, otherwise about itself', () => {
    const keysOf = (id: string, others: object) =>
      readOsv(osv(id, 'Debian:12', 'a', [{ introduced: '0' }], others as Record<string, unknown>)).ranges.map(
        ({ vulnerability }) => vulnerability,
      )

    expect(keysOf('DEBIAN-CVE-2026-1001', { related: ['CVE-2026-9999'] })).toEqual(['CVE-2026-1001'])
    expect(keysOf('DSA-1-1', { upstream: ['CVE-2026-1001', 'DEBIAN-CVE-2026-1001', 'CVE-2026-1002'] })).toEqual([
      'CVE-2026-1001',
      'CVE-2026-1002',
    ])
    expect(keysOf('ALSA-2026:1', { related: ['CVE-2026-1003'] })).toEqual(['CVE-2026-1003'])
    expect(keysOf('ALSA-2026:2', {})).toEqual(['ALSA-2026:2'])
  })

  test('each pair of events is a range, and the last one may be open', () => {
    const { ranges } = readOsv(
      osv('CVE-2026-1001', 'Debian:12', 'a', [
        { introduced: '0' },
        { fixed: '1.0-2' },
        { introduced: '2.0' },
        { last_affected: '2.4' },
        { introduced: '3.0' },
      ]),
    )

    expect(
      ranges.map((range) => [range.introducedKey === null, range.fixedVersion, range.lastAffectedKey === null]),
    ).toEqual([
      [true, '1.0-2', true],
      [false, null, false],
      [false, null, true],
    ])
  })

  test('unimportant issues, withdrawn documents and ranges of commits are left out', () => {
    const unimportant = osv('CVE-2026-1', 'Debian:12', 'a', [{ introduced: '0' }])
    Object.assign(unimportant.affected[0] ?? {}, { ecosystem_specific: { urgency: 'unimportant' } })
    const commits = {
      id: 'CVE-2026-1001',
      affected: [{ package: { ecosystem: 'Debian:12', name: 'a' }, ranges: [{ type: 'GIT' }] }],
    }
    const withdrawn = osv('CVE-2026-1001', 'Debian:12', 'a', [{ introduced: '0' }], {
      withdrawn: '2026-01-01T00:00:00Z',
    })

    for (const document of [unimportant, commits, withdrawn])
      expect(readOsv(document)).toEqual({ facts: [], ranges: [], ignored: 1 })
  })

  test('an advisory about several vulnerabilities says nothing about the severity of each', () => {
    const severity = [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }]
    const factsOf = (cves: string[]) =>
      readOsv(osv('DSA-1-1', 'Debian:12', 'a', [{ introduced: '0' }], { upstream: cves, severity })).facts

    expect(factsOf(['CVE-2026-1001'])).toEqual([
      { key: 'CVE-2026-1001', cvssScore: 9.8, cvssVector: severity[0]?.score },
    ])
    expect(factsOf(['CVE-2026-1001', 'CVE-2026-1002'])).toEqual([])
  })

  test.each([[null], [[]], [{}], [{ id: 'a b' }], [{ id: 'CVE-2026-1001', affected: {} }]])(
    '%j is refused',
    (content) => {
      expect(() => readOsv(content)).toThrow()
    },
  )
})

describe('the security tracker of Debian', () => {
  test('a release is affected before the fixed version, or in all versions while the issue is open', () => {
    const entries = readTrackerPackage('openssl', {
      'CVE-2026-1001': trackerEntry({
        bullseye: { status: 'resolved', fixed_version: '0' },
        bookworm: { status: 'resolved', fixed_version: '3.0.16-1~deb12u1', urgency: 'high**' },
        trixie: { status: 'open' },
        sid: { status: 'resolved', fixed_version: '3.5.0-1' },
      }),
      'CVE-2026-1002': trackerEntry({ bookworm: { status: 'undetermined' } }),
      'CVE-2026-1003': trackerEntry({ bookworm: { status: 'open', urgency: 'unimportant' } }),
    })

    expect(summary(entries)).toEqual([
      ['deb/debian-12/openssl', 'CVE-2026-1001', 'CVE-2026-1001', '3.0.16-1~deb12u1'],
      ['deb/debian-13/openssl', 'CVE-2026-1001', 'CVE-2026-1001', null],
    ])
    expect(entries.facts).toEqual([{ key: 'CVE-2026-1001', title: 'A fault', severity: 'High' }])
    expect(entries.ignored).toBe(4)
    expect(findPlatformOfDebianRelease('sid')).toBeUndefined()
  })
})

describe('facts about vulnerabilities', () => {
  // Vectors with the scores that the specification and NVD publish for them.
  test.each([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
    ['CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5],
    ['CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 7.8],
    ['CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.6],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', undefined],
    ['CVSS:3.1/AV:N', undefined],
    ['', undefined],
  ])('the vector %s has the score %s', (vector, score) => {
    expect(scoreOfVector(vector)).toBe(score)
  })

  test('entries of KEV, EPSS and NVD are read, and others are left out', () => {
    expect(
      readKevEntry({
        cveID: 'CVE-2026-1001',
        dateAdded: '2026-03-01',
        dueDate: '2026-03-22',
        knownRansomwareCampaignUse: 'Known',
      }),
    ).toEqual({ key: 'CVE-2026-1001', kevAddedOn: '2026-03-01', kevDueOn: '2026-03-22', kevRansomware: true })
    expect(readKevEntry({ cveID: 'a' })).toBeUndefined()
    expect(readEpssLine('CVE-2026-1001,0.94211,0.99876')).toEqual({
      key: 'CVE-2026-1001',
      epssScore: 0.94211,
      epssPercentile: 0.99876,
    })
    for (const line of ['#model_version:v2025', 'cve,epss,percentile', '', 'CVE-2026-1001,2,0.5', 'CVE-2026-1001,,'])
      expect(readEpssLine(line)).toBeUndefined()
    const metric = (type: string, baseScore: number) => ({
      type,
      cvssData: { baseScore, vectorString: `CVSS:3.1/${type}` },
    })
    expect(
      readNvdEntry({
        cve: { id: 'CVE-2026-1001', metrics: { cvssMetricV31: [metric('Secondary', 5), metric('Primary', 9.1)] } },
      }),
    ).toEqual({ key: 'CVE-2026-1001', cvssScore: 9.1, cvssVector: 'CVSS:3.1/Primary', severity: 'Critical' })
    expect(readNvdEntry({ cve: { id: 'CVE-2026-1001' } })).toBeUndefined()
  })
})

test.each([
  ['Debian GNU/Linux', '12', 'debian-12'],
  ['Ubuntu', '24.04', 'ubuntu-24.04'],
  ['AlmaLinux', '9.4', 'almalinux-9'],
  ['Rocky Linux', '8.10', 'rocky-8'],
  ['Red Hat Enterprise Linux', '9.4', 'redhat-9'],
  ['SLES', '15.5', 'sles-15.5'],
  ['Windows 11', '10.0.22631', undefined],
  ['Fedora Linux', '41', undefined],
])('a computer with %s %s has the platform %s', (name, version, platform) => {
  expect(findPlatformOfSystem(name, version)?.key).toBe(platform)
})

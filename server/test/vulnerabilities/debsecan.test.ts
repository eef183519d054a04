import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toVersionKey } from '../../src/features/patches/components/version-keys.ts'
import { listComputerVulnerabilities } from '../../src/features/vulnerabilities/api/list-computer-vulnerabilities.ts'
import { openVulnerabilityWorld, type ReportedPackage, trackerEntry } from './vulnerability-world.ts'

const hasDpkg = (() => {
  try {
    execFileSync('dpkg', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** Of each pair of versions, whether dpkg itself regards the first one as older. One shell asks for all of them. */
function areOlder(pairs: readonly (readonly [one: string, other: string])[]): boolean[] {
  const script = 'while read -r one other; do dpkg --compare-versions "$one" lt "$other" && echo yes || echo no; done'
  const input = pairs.map((pair) => `${pair.join(' ')}\n`).join('')
  const answers = execFileSync('sh', ['-c', script], { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] })
  return answers
    .trim()
    .split('\n')
    .map((answer) => answer === 'yes')
}

const fields = ['db:Status-Status', 'Package', 'Version', 'source:Package', 'source:Version']

function listPackages(): Required<Omit<ReportedPackage, 'language'>>[] {
  const format = `${fields.map((name) => `\${${name}}`).join('\\t')}\\n`
  const lines = execFileSync('dpkg-query', ['-W', '-f', format], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [status, productName = '', version = '', sourceName = '', sourceVersion = ''] = line.split('\t')
    return status === 'installed' ? [{ productName, version, sourceName, sourceVersion }] : []
  })
}

/** Fixed versions below, at and above the installed one, in the ways in which Debian makes them. */
const fixesFor = (version: string) => [
  `${version}+deb12u1`,
  `${version}~deb12u1`,
  version,
  version.replace(/\d+$/, (number) => String(Number(number) + 1)),
  version.replace(/^(\d+:)?/, (epoch) => `${Number.parseInt(epoch || '0', 10) + 1}:`),
  '0.0.1-1',
]

describe.skipIf(!hasDpkg)('with the packages of this machine', async () => {
  const packages = listPackages()
  const bySource = Map.groupBy(packages, ({ sourceName }) => sourceName)
  const { as, computerWith, importDocuments } = await openVulnerabilityWorld()

  test('the findings are those that debsecan would report, by the versions of source packages and the order of dpkg', async () => {
    let number = 100_000
    const tracker = Object.fromEntries(
      [...bySource].map(([source, [first]]) => [
        source,
        Object.fromEntries(
          fixesFor(first?.sourceVersion ?? '1').map((fixed) => [
            `CVE-2026-${++number}`,
            trackerEntry({ bookworm: { status: 'resolved', fixed_version: fixed } }),
          ]),
        ),
      ]),
    )
    // What debsecan does: a package is vulnerable if the version of its source is older than the fixed one.
    const named = Object.entries(tracker).flatMap(([source, issues]) =>
      Object.entries(issues).flatMap(([cve, { releases }]) => {
        const { fixed_version: fixed } = releases.bookworm as unknown as { fixed_version: string }
        return (bySource.get(source) ?? []).map(({ productName, sourceVersion }) => ({
          finding: `${cve} ${productName}`,
          versions: [sourceVersion, fixed] as const,
        }))
      }),
    )
    const isVulnerable = areOlder(named.map(({ versions }) => versions))
    const expected = named.filter((_, at) => isVulnerable[at]).map(({ finding }) => finding)
    const computer = await computerWith(packages)

    await importDocuments('DebianTracker', { 'tracker.json': tracker })

    const found: string[] = []
    for (let skip = 0, hasMore = true; hasMore; skip += 1_000) {
      const { body } = await as('computer.read').call(listComputerVulnerabilities, {
        params: { id: computer.id },
        query: { skip, top: 1_000 },
      })
      found.push(
        ...body.items.flatMap(({ key, packages: named }) => named.map(({ productName }) => `${key} ${productName}`)),
      )
      hasMore = body.hasMore
    }
    expect(packages.length).toBeGreaterThan(50)
    expect([...new Set(found)].toSorted()).toEqual([...new Set(expected)].toSorted())
    expect(new Set(found.map((one) => one.split(' ')[0])).size).toBeLessThan(number - 100_000)
  }, 120_000)

  test('dpkg orders versions as their keys do', () => {
    const part = fc.stringMatching(/^[0-9][0-9a-z.+~]{0,6}$/)
    const version = fc
      .tuple(fc.constantFrom('', '0:', '1:', '2:'), part, fc.option(fc.stringMatching(/^[0-9a-z+~.]{1,6}$/)))
      .map(([epoch, upstream, revision]) => `${epoch}${upstream}${revision === null ? '' : `-${revision}`}`)
    const pairs = fc.sample(fc.tuple(version, version), 300)
    const isOlder = areOlder(pairs)

    expect(
      pairs.filter(([one, other], at) => {
        const [left = '', right = ''] = [toVersionKey('deb', one), toVersionKey('deb', other)]
        return left < right !== isOlder[at]
      }),
    ).toEqual([])
  })
})

import { expect, test, vi } from 'vitest'
import { toPatchScan } from '../../src/platform/linux/patches/advisory.ts'
import { parseDnfPlan } from '../../src/platform/linux/patches/dnf-plan.ts'
import { parseSources } from '../../src/platform/linux/patches/policy.ts'
import { parseAdvisoryDetails, parseAdvisoryList } from '../../src/platform/linux/patches/updateinfo.ts'
import {
  parseZypperConflicts,
  parseZypperPackages,
  parseZypperPlan,
  parseZypperUpdates,
} from '../../src/platform/linux/patches/zypper-output.ts'
import { readTool } from '../../src/platform/linux/repositories/tools.ts'
import { openWorld } from '../world.ts'

const ruler = '='.repeat(79)
const advisory = (title: string, lines: string[]) => [ruler, `  ${title}`, ruler, ...lines, '', ''].join('\n')

test('a title or description that looks like another advisory changes nothing of that advisory', () => {
  const text = [
    advisory(`A title\n${ruler}\nwith a ruler`, ['  Update ID: EVIL-1', '       Type: bugfix']),
    advisory('Good', [
      '  Update ID: GOOD-1',
      '       Type: security',
      '       CVEs: CVE-2026-0001',
      '           : CVE-2026-0002',
      'Description: One',
      '           :   Update ID: GOOD-2',
      '           :    Severity: Low',
      '   Severity: Critical',
    ]),
  ].join('')

  const found = parseAdvisoryDetails(text)

  expect([...found.keys()]).toEqual(['EVIL-1', 'GOOD-1'])
  expect(found.get('GOOD-1')).toEqual({
    title: 'Good',
    type: 'SecurityPatch',
    severity: 'Critical',
    cves: ['CVE-2026-0001', 'CVE-2026-0002'],
  })
})

test('ids and packages that would be options or patterns of a tool are left out', () => {
  const lines = [
    '-oops Important/Sec. hello-1.1-1.noarch',
    'GOOD-1 Important/Sec. --setopt=x-1.1-1.noarch',
    'GOOD-1 Important/Sec. hel*lo-1.1-1.noarch',
    'GOOD-1 Important/Sec. hello-1.1-1.noarch more',
    `GOOD-1 Important/Sec. ${'a'.repeat(300)}-1.1-1.noarch`,
    'i GOOD-1 Important/Sec. hello-2:1.1-1.noarch',
  ]
  expect(parseAdvisoryList(lines.join('\n'))).toEqual([
    { id: 'GOOD-1', label: 'Important/Sec.', package: { name: 'hello', version: '2:1.1-1', architecture: 'noarch' } },
  ])
})

test('a scan never exceeds what the server accepts', () => {
  const cves = Array.from({ length: 3_000 }, (_, at) => `CVE-2026-${10_000 + at}`)
  const one = { isAdvisory: true, isMissing: false, type: 'SecurityPatch', cves: [], targets: [] } as const
  const large = { ...one, key: 'A-24999', isMissing: true, cves, title: 'x'.repeat(1e6) }
  const patches = [...Array.from({ length: 24_999 }, (_, at) => ({ ...one, key: `A-${at}` })), large]

  const scan = toPatchScan(patches, 'A test', { scannedAt: new Date(), definitionAt: undefined })

  expect(scan.patches).toHaveLength(20_000)
  expect(scan.patches[0]).toMatchObject({ key: 'A-24999', status: 'Missing' })
  expect(scan.patches[0]?.cves).toHaveLength(1_000)
  expect(scan.patches[0]?.title).toHaveLength(1_000)
})

test('a tool that prints without end or does not end is stopped', async () => {
  const { installFakeTool, environment } = await openWorld()
  await installFakeTool('endless', 'yes')
  await installFakeTool('waiting', 'exec sleep 60')
  vi.stubEnv('PATH', environment.PATH)
  const limits = { timeout: 500, maxBuffer: 1024 * 1024 }

  const ended = await Promise.allSettled([readTool('endless', [], limits), readTool('waiting', [], limits)])
  vi.unstubAllEnvs()

  expect(ended.map((one) => (one.status === 'rejected' ? one.reason.message : 'ended'))).toEqual([
    'endless printed more than 1 MiB',
    'waiting took longer than 0.5 seconds',
  ])
})

test('megabytes of broken output are read in a moment', () => {
  const parts = [
    '<update ',
    '<issue ',
    '<summary>',
    'name="',
    '<to-upgrade>',
    '<solvable ',
    'Conflicts   : [',
    '    a < 1',
    ' '.repeat(50),
  ]
  const texts = parts.map((part) => part.repeat(Math.ceil(1e6 / part.length)))
  const start = performance.now()

  for (const text of texts) {
    parseZypperUpdates(text)
    parseZypperPackages(text)
    parseZypperConflicts(text)
    parseZypperPlan(`<install-summary>${text}`)
    parseAdvisoryDetails(`${ruler}\n${text}`)
    parseAdvisoryList(text)
    parseDnfPlan(`Dependencies resolved.\n${text}\nTransaction Summary\n`)
    parseSources(text)
  }

  expect(performance.now() - start).toBeLessThan(5_000)
})

test('what dnf would remove or replace belongs to its plan, and what is only new does not', () => {
  const plan = [
    'Dependencies resolved.',
    ruler,
    ' Package   Architecture  Version  Repository  Size',
    ruler,
    'Installing:',
    ' kernel-core x86_64 5.1-1 base 6 k',
    'Upgrading:',
    ' hello       noarch 1.1-1 base 6 k',
    '     replacing  old-hello.noarch 0.9-1',
    ' a-package-with-a-name-that-is-longer-than-the-column',
    '             noarch 1.1-1 base 6 k',
    'Installing dependencies:',
    ' fresh       noarch 1.0-1 base 6 k',
    'Removing dependent packages:',
    ' addon       noarch 1.0-1 @base 6 k',
    '',
    'Transaction Summary',
    '',
  ].join('\n')

  expect(parseDnfPlan(plan)?.changed).toEqual([
    'hello',
    'old-hello',
    'a-package-with-a-name-that-is-longer-than-the-column',
    'addon',
  ])
  expect(parseDnfPlan('Error: Problem')).toBeUndefined()
})

import { setTimeout as sleep } from 'node:timers/promises'
import { answerOf, type components, type operations } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import { findComputer } from '../names/computers.ts'
import type { Column } from '../output/output.ts'
import { progressOn } from '../output/progress.ts'
import { formatTime, timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

type Schemas = components['schemas']
type Vulnerability = Schemas['FleetVulnerability']
type ListQuery = NonNullable<operations['listVulnerabilities']['parameters']['query']>
type Import = Schemas['VulnerabilityImportStatus']

const severities: readonly Vulnerability['severity'][] = ['Critical', 'High', 'Medium', 'Low', 'Unknown']
const states: readonly Vulnerability['state'][] = ['Open', 'Excepted', 'Fixed', 'NotPresent']
const formats: readonly Schemas['VulnerabilitySource']['format'][] = ['Osv', 'DebianTracker', 'Kev', 'Epss', 'Cvss']

const percent = (share: number | null) => (share === null ? undefined : `${(share * 100).toFixed(1)} %`)

const ratingColumns = [
  ['vulnerability', ({ key }) => key],
  ['severity', ({ severity }) => severity],
  ['cvss', ({ cvssScore }) => cvssScore],
  ['epss', ({ epssScore }) => percent(epssScore)],
  ['exploited', ({ kevAddedOn }) => kevAddedOn],
] as const satisfies readonly Column<
  Pick<Vulnerability, 'key' | 'severity' | 'cvssScore' | 'epssScore' | 'kevAddedOn'>
>[]

const columns: readonly Column<Vulnerability>[] = [
  ...ratingColumns,
  ['open', ({ openComputers }) => openComputers],
  ['affected', ({ affectedComputers }) => affectedComputers],
  ['fix', ({ hasFix }) => (hasFix ? 'yes' : 'no')],
  ['title', ({ title }) => title],
]

const packageColumns: readonly Column<Schemas['VulnerablePackage']>[] = [
  ['software', ({ productName }) => productName],
  ['installed', ({ installedVersion }) => installedVersion],
  ['package', (one) => one.package],
  ['fixed in', ({ fixedVersion }) => fixedVersion],
  ['platform', ({ platform }) => platform],
  ['computers', ({ computers }) => computers],
  ['match', ({ match }) => match],
  ['advisory', ({ advisory }) => advisory],
  ['source', ({ source }) => source],
]

const computerColumns: readonly Column<Schemas['VulnerableComputer']>[] = [
  ['computer', ({ hostname }) => hostname],
  ['domain', ({ domain }) => domain],
  ['software', ({ productName }) => productName],
  ['installed', ({ installedVersion }) => installedVersion],
  ['fixed in', ({ fixedVersion }) => fixedVersion],
  ['match', ({ match }) => match],
  ['remedy', ({ remedy }) => remedy.state],
  ['patch', ({ remedy }) => remedy.patchName],
  ['excepted', ({ isExcepted }) => (isExcepted ? 'yes' : 'no')],
]

const findingColumns: readonly Column<Schemas['ComputerVulnerability']>[] = [
  ...ratingColumns,
  [
    'software',
    ({ packages }) =>
      packages
        .map(({ productName, installedVersion }) => [productName, installedVersion].filter(Boolean).join(' '))
        .join('; '),
  ],
  ['fixed in', ({ packages }) => [...new Set(packages.map(({ fixedVersion }) => fixedVersion ?? 'no fix'))].join('; ')],
  ['match', ({ packages }) => [...new Set(packages.map(({ match }) => match))].join(' ')],
  ['remedy', ({ remedy }) => remedy.state],
  ['why', ({ remedy }) => remedy.message],
  ['excepted', ({ isExcepted }) => (isExcepted ? 'yes' : 'no')],
]

const remedyColumns: readonly Column<Schemas['VulnerabilityRemedyCount']>[] = [
  ['remedy', ({ state }) => state],
  ['patch', ({ patchName }) => patchName],
  ['computers', ({ computers }) => computers],
  ['from', ({ firstUtc }) => firstUtc && timeOf(firstUtc)],
  ['until', ({ lastUtc }) => lastUtc && timeOf(lastUtc)],
]

const keyArgument = ['<vulnerability>', 'Number of the CVE'] as const
const limitOption = ['--limit <count>', 'List at most this many'] as const

function parseScore(text: unknown, name: string, max: number): number | undefined {
  if (text === undefined) return undefined
  const score = Number(text)
  if (!(score >= 0 && score <= max)) throw new UsageError(`${name} must be a number from 0 to ${max}.`)
  return score
}

const list = command({
  name: 'vulnerabilities list',
  summary: 'List the vulnerabilities of installed software',
  description: 'Those that are known to be exploited come first, then the most severe.',
  arguments: [['[words...]', 'A part of the number or of the title']],
  options: [
    ['--severity <severities...>', severities.join(', '), severities],
    ['--exploited', 'Only those that are known to be exploited (KEV)'],
    ['--fixable', 'Only those for which a fixed version is known'],
    ['--min-cvss <score>', 'Only with at least this CVSS score'],
    ['--min-epss <share>', 'Only with at least this probability of an exploit within 30 days, from 0 to 1'],
    ['--state <state>', `${states.join(', ')}; by default what computers have now`, states],
    limitOption,
  ],
  examples: [
    ['muster vulnerabilities list --exploited', 'What to fix first'],
    ['muster vulnerabilities list --severity Critical High --fixable -o csv', 'What updates would fix, as a table'],
  ],
  operations: ['listVulnerabilities'],
  async run({ client, names, options, output }) {
    const [minCvss, minEpss] = [
      parseScore(options.minCvss, '--min-cvss', 10),
      parseScore(options.minEpss, '--min-epss', 1),
    ]
    const query = {
      top: 1_000,
      ...(names.length > 0 && { search: names.join(' ') }),
      ...(options.severity !== undefined && { severity: options.severity }),
      ...(options.exploited === true && { isKnownExploited: true }),
      ...(options.fixable === true && { hasFix: true }),
      ...(minCvss !== undefined && { minCvss }),
      ...(minEpss !== undefined && { minEpss }),
      ...(options.state !== undefined && { state: options.state }),
    } as ListQuery
    await output.rows(columns, limited(client.pages('/api/vulnerabilities', { query }), parseLimit(options.limit)))
  },
})

const show = command({
  name: 'vulnerabilities show',
  summary: 'Show a vulnerability with the affected packages',
  arguments: [keyArgument],
  examples: [['muster vulnerabilities show CVE-2026-12345', 'Which versions have it, and which fix it']],
  operations: ['getVulnerability'],
  async run({ args: [key = ''], client, output }) {
    const found = await answerOf(client.GET('/api/vulnerabilities/{key}', { params: { path: { key } } }))
    const { packages, remedies, ...about } = found
    output.object({ ...about, remedies }, [
      ['Vulnerability', found.key],
      ['Title', found.title],
      ['State', found.state],
      ['Severity', [found.severity, found.cvssScore, found.cvssVector].filter((one) => one !== null).join(' ')],
      ['Probability of an exploit', percent(found.epssScore)],
      ['Known to be exploited since', found.kevAddedOn],
      ['To be fixed by', found.kevDueOn],
      ['Open computers', found.openComputers],
      ['Affected computers', found.affectedComputers],
      ['First seen', found.firstSeenUtc && formatTime(found.firstSeenUtc)],
      ['Fixed', found.fixedUtc && formatTime(found.fixedUtc)],
    ])
    if (packages.length > 0) await output.rows(packageColumns, packages)
    if (remedies.length > 0 && output.format !== 'json') await output.rows(remedyColumns, remedies)
  },
})

const computers = command({
  name: 'vulnerabilities computers',
  summary: 'List the computers that a vulnerability affects',
  arguments: [keyArgument],
  options: [['--open', 'Only computers that no exception covers'], limitOption],
  examples: [['muster vulnerabilities computers CVE-2026-12345 --open', 'Where something has to be done']],
  operations: ['listVulnerableComputers'],
  async run({ args: [key = ''], client, options, output }) {
    const query = { top: 1_000, ...(options.open === true && { isExcepted: false }) }
    const found = client.pages('/api/vulnerabilities/{key}/computers', { path: { key }, query })
    await output.rows(computerColumns, limited(found, parseLimit(options.limit)))
  },
})

const ofComputer = command({
  name: 'vulnerabilities of',
  summary: 'List the vulnerabilities of a computer',
  arguments: [['<computer>', 'Name of the computer, or its id', 'computer']],
  options: [limitOption],
  examples: [['muster vulnerabilities of web-01', 'With the versions that fix them']],
  operations: ['listComputerVulnerabilities', 'getComputer', 'searchComputers'],
  async run({ args: [name = ''], client, options, output }) {
    const { id } = await findComputer(client, name)
    const found = client.pages('/api/computer/{id}/vulnerabilities', { path: { id }, query: { top: 1_000 } })
    await output.rows(findingColumns, limited(found, parseLimit(options.limit)))
  },
})

const importCommand = command({
  name: 'vulnerabilities import',
  summary: 'Import advisories, or facts about vulnerabilities, and wait for the result',
  description:
    'Reads a file or a folder of the package store. The import takes the place of the earlier one of the same source once it is complete.',
  arguments: [['<path>', 'Path below the root of the package store']],
  options: [
    ['--format <format>', formats.join(', '), formats],
    ['--source <name>', 'Name of the source; by default, the one of the format'],
    dryRunOption,
  ],
  examples: [
    ['muster vulnerabilities import advisories/debian.json --format DebianTracker', 'The security tracker of Debian'],
    [
      'muster vulnerabilities import advisories/alma --format Osv --source osv-almalinux',
      'A folder of documents of OSV',
    ],
    ['muster vulnerabilities import advisories/kev.json --format Kev', 'What is known to be exploited'],
  ],
  operations: ['importVulnerabilities', 'getVulnerabilityImport'],
  async run(call) {
    const {
      args: [folderPath = ''],
      client,
      options,
      output,
    } = call
    const format = formats.find((one) => one === options.format)
    if (!format) throw new UsageError(`Choose the format with --format: ${formats.join(', ')}.`)
    const { trackingId } = await answerOf(
      client.POST('/api/vulnerabilities/import', {
        params: { query: changeQuery(options) },
        body: { folderPath, format, ...(options.source !== undefined && { source: String(options.source) }) },
      }),
    )
    if (options.dryRun) return output.result({ trackingId }, 'The import would start.')
    const ended = await waitForImport(call, trackingId)
    if (ended.status !== 'Success') throw new CommandFailure(ended.message ?? 'The import failed.')
    output.result(ended, ended.message ?? 'The import has ended.')
  },
})

const pollMs = 250

async function waitForImport({ client, terminal }: Call, trackingId: string): Promise<Import> {
  const progress = progressOn(terminal)
  const params = { path: { trackingId } }
  for (;;) {
    const job = await answerOf(client.GET('/api/vulnerabilities/import/{trackingId}', { params }))
    progress.show({ done: job.progress ?? 0, total: 100, text: job.status })
    if (job.finishedAtUtc !== null) {
      progress.end()
      return job
    }
    await sleep(pollMs, undefined, { signal: terminal.signal })
  }
}

const sources = command({
  name: 'vulnerabilities sources',
  summary: 'List what was imported, and when',
  examples: [['muster vulnerabilities sources', 'How old the advisories are']],
  operations: ['listVulnerabilitySources'],
  async run({ client, output }) {
    const found = await answerOf(client.GET('/api/vulnerabilities/sources'))
    await output.rows<Schemas['VulnerabilitySource']>(
      [
        ['source', ({ name }) => name],
        ['format', ({ format }) => format],
        ['imported', ({ importedUtc }) => timeOf(importedUtc)],
        ['vulnerabilities', ({ vulnerabilities }) => vulnerabilities],
        ['ranges', ({ ranges }) => ranges],
      ],
      found,
    )
  },
})

export const vulnerabilities = [list, show, computers, ofComputer, importCommand, sources]

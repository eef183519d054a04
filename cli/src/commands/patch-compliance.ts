import { answerOf, type components, type operations, versionOf } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption, type Parameter } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findComputer } from '../names/computers.ts'
import { parseCount } from '../numbers.ts'
import type { Column } from '../output/output.ts'
import { formatTime } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

type Schemas = components['schemas']
type Group = Schemas['PatchComplianceOfGroup']
type Measured = Schemas['MeasuredPatch']
type Sla = Schemas['PatchSla']
type Query = NonNullable<operations['listPatchCompliance']['parameters']['query']>

const severities: readonly NonNullable<Query['severity']>[] = ['Critical', 'Important', 'Moderate', 'Low', 'Unrated']
const ages: readonly NonNullable<Query['age']>[] = ['UpTo7Days', 'UpTo30Days', 'UpTo90Days', 'Older', 'Unknown']

const columns: readonly Column<Group>[] = [
  ['group', ({ path }) => path],
  ['computers', ({ computers }) => computers],
  ['not scanned', ({ computers, scanned }) => computers - scanned],
  ['compliant', ({ compliant }) => compliant],
  ['within sla', ({ withinSla }) => withinSla],
  ['overdue computers', ({ overdueComputers }) => overdueComputers],
  ['overdue patches', ({ overduePatches }) => overduePatches],
  ['missing patches', ({ missingPatches }) => missingPatches],
]

const list = command({
  name: 'patch-compliance list',
  isDefault: true,
  summary: 'List the patch compliance of groups, each with the groups below it',
  description:
    'Within the SLA are scanned computers that lack no patch for longer than the SLA allows for its severity. The numbers are those of the last count of the fleet.',
  arguments: [['[words...]', 'A part of the path of the group']],
  options: [
    ['--severity <severity>', `Count only patches that are ${severities.join(', ')}`, severities],
    ['--age <age>', `Count only patches by the time since their release: ${ages.join(', ')}`, ages],
    ['--overdue', 'Only groups with computers that lack a patch beyond its SLA'],
    ['--limit <count>', 'List at most this many'],
  ],
  examples: [
    ['muster patch-compliance --overdue', 'Where patches are missing for too long'],
    ['muster patch-compliance Berlin --severity Critical -o csv', 'The critical ones of some groups, as a table'],
  ],
  operations: ['listPatchCompliance'],
  async run({ client, names, options, output }) {
    const query = {
      top: 1_000,
      ...(names.length > 0 && { search: names.join(' ') }),
      ...(options.severity !== undefined && { severity: options.severity }),
      ...(options.age !== undefined && { age: options.age }),
      ...(options.overdue === true && { overdue: true }),
    } as Query
    await output.rows(
      columns,
      limited(client.pages('/api/fleet/patch-compliance', { query }), parseLimit(options.limit)),
    )
  },
})

const measuredColumns: readonly Column<Measured>[] = [
  ['patch', ({ patchName }) => patchName],
  ['product', ({ productName }) => productName],
  ['severity', ({ severity }) => severity],
  ['due', ({ dueOn }) => dueOn],
  ['days overdue', ({ daysOverdue }) => daysOverdue],
  ['why', ({ message }) => message],
]

const computer = command({
  name: 'patch-compliance computer',
  summary: 'Say why a computer is not within the SLA: its overdue patches, each with the reason',
  arguments: [['<computer>', 'Name of the computer', 'computer']],
  options: [
    ['--all', 'Also list missing patches that are not overdue'],
    ['--limit <count>', 'List at most this many'],
  ],
  examples: [['muster patch-compliance computer pc-01', 'How long each patch is overdue, and what it waits for']],
  operations: ['listComputerPatchCompliance', 'getComputer', 'searchComputers'],
  async run({ args, client, options, output }) {
    const { id } = await findComputer(client, args[0] ?? '')
    const path = { id }
    const overdue = options.all === true ? {} : { overdue: true }
    if (output.format === 'table') {
      const about = await answerOf(
        client.GET('/api/computer/{id}/patch-compliance', { params: { path, query: { top: 1 } } }),
      )
      output.object(about, [
        ['State', about.state],
        ['Overdue patches', about.overduePatches],
        ['Missing patches', about.missingPatches],
        ['Last scan', formatTime(about.scannedUtc)],
      ])
    }
    const found = client.pages('/api/computer/{id}/patch-compliance', { path, query: { top: 1_000, ...overdue } })
    await output.rows(measuredColumns, limited(found, parseLimit(options.limit)))
  },
})

const describeDays = (days: number | null) => (days === null ? 'none' : `${days} ${days === 1 ? 'day' : 'days'}`)

const linesOf = (sla: Sla) => [
  ['Critical', describeDays(sla.critical)] as const,
  ['Important', describeDays(sla.important)] as const,
  ['Moderate', describeDays(sla.moderate)] as const,
  ['Low', describeDays(sla.low)] as const,
  ['Not rated', describeDays(sla.unrated)] as const,
]

const showSla = command({
  name: 'patch-compliance sla',
  summary: 'Show within how many days patches of each severity have to be installed',
  examples: [['muster patch-compliance sla', 'The SLA of the installation']],
  operations: ['getPatchSla'],
  async run({ client, output }) {
    const sla = await answerOf(client.GET('/api/patch-sla'))
    output.object(sla, linesOf(sla))
  },
})

const slaNames = ['critical', 'important', 'moderate', 'low', 'unrated'] as const satisfies readonly (keyof Sla)[]

const setSla = command({
  name: 'patch-compliance set-sla',
  summary: 'Change within how many days patches of some severities have to be installed',
  description: 'It releases no patch. What is not named stays.',
  options: [
    ...slaNames.map((name): Parameter => [`--${name} <days>`, 'Days after the release, or none']),
    dryRunOption,
  ],
  examples: [
    ['muster patch-compliance set-sla --critical 3 --low none', 'Critical ones within 3 days, low ones at any time'],
  ],
  operations: ['getPatchSla', 'setPatchSla'],
  async run({ client, options, output }: Call) {
    const named = slaNames.filter((name) => options[name] !== undefined)
    if (named.length === 0) throw new UsageError(`Name a severity: --${slaNames.join(', --')}.`)
    const { value, etag } = await versionOf(client.GET('/api/patch-sla'))
    const changed = Object.fromEntries(named.map((name) => [name, parseDays(options[name], `--${name}`)]))
    const answer = await answerOf(
      client.PUT('/api/patch-sla', {
        params: { query: changeQuery(options), header: { 'If-Match': etag } },
        body: { ...value, ...changed },
      }),
    )
    if (output.format === 'json') return output.json(answer)
    output.object(answer, linesOf(answer))
  },
})

const parseDays = (text: unknown, option: string) => (text === 'none' ? null : parseCount(text, option, 1))

export const patchCompliance = [list, computer, showSla, setSla]

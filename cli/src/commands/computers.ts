import type { components, operations } from '@muster/client'
import { command } from '../command.ts'
import { findGroup } from '../names/groups.ts'
import type { Column } from '../output/output.ts'
import { formatAge } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

type Computer = components['schemas']['FleetComputer']
type Query = NonNullable<operations['listFleetComputers']['parameters']['query']>

const columns: readonly Column<Computer>[] = [
  ['name', ({ hostname }) => hostname],
  ['domain', ({ domain }) => domain],
  ['system', ({ operatingSystem, osVersion }) => [operatingSystem, osVersion].filter(Boolean).join(' ')],
  ['health', ({ healthStatus }) => healthStatus],
  ['agent', ({ agentStatus }) => agentStatus],
  ['seen', ({ lastSeenUtc }) => formatAge(lastSeenUtc)],
  ['user', ({ loggedOnUser }) => loggedOnUser],
  ['address', ({ ipAddress }) => ipAddress],
  ['issues', ({ issues }) => issues.join(' ')],
  ['groups', ({ groups }) => groups.map(({ name }) => name).join(' ')],
]

/** Options that are passed to the API as they are, with the values that it accepts. */
const filters = [
  ['--health <states...>', 'healthStatus', 'Healthy, Warning or Unreachable'],
  ['--agent <states...>', 'agentStatus', 'Reporting, Stale, Silent or Unknown'],
  ['--contact <ages...>', 'lastContact', 'Last contact: Day, Week, Month, Older or Never'],
  ['--issue <issues...>', 'issue', 'With one of these issues, such as low-disk or failed-deployment'],
  ['--os <names...>', 'operatingSystem', 'With one of these operating systems'],
  ['--missing <severities...>', 'missingSeverity', 'Severity of the most severe missing patch, such as Critical'],
  ['--patch-age <ages...>', 'patchAge', 'Age of the oldest missing patch: UpTo7Days, UpTo30Days, UpTo90Days or Older'],
] as const

const optionName = (syntax: string) =>
  syntax.slice(2, syntax.indexOf(' ')).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export const computers = command({
  name: 'computers',
  summary: 'List computers',
  arguments: [['[words...]', 'Words in the name, serial number, user, address or installed software']],
  options: [
    ...filters.map(([syntax, , meaning]) => [syntax, meaning] as const),
    ['--group <paths...>', 'Members of one of these groups'],
    ['--sort <property>', 'Sort by hostname, lastSeenUtc, healthStatus, issues or another property'],
    ['--descending', 'Reverse the order'],
    ['--limit <count>', 'List at most this many'],
  ],
  examples: [
    ['muster computers --issue low-disk --group Office/Berlin', 'Computers of a group with nearly full drives'],
    ['muster computers firefox -o csv > firefox.csv', 'Computers on which something named firefox is installed'],
    ['muster computers --contact Older Never --sort lastSeenUtc', 'Computers without contact for a month'],
  ],
  operations: ['listFleetComputers', 'listGroupTree'],
  async run({ client, names, options, output }) {
    const groups = await Promise.all(
      ((options.group as string[] | undefined) ?? []).map((path) => findGroup(client, path)),
    )
    const query = {
      top: 1_000,
      ...(names.length > 0 && { search: names.join(' ') }),
      ...(groups.length > 0 && { groupId: groups.map(({ id }) => id) }),
      ...Object.fromEntries(filters.map(([syntax, parameter]) => [parameter, options[optionName(syntax)]])),
      ...(options.sort !== undefined && { sort: options.sort }),
      ...(options.descending === true && { descending: true }),
    } as Query
    const limit = parseLimit(options.limit)
    await output.rows(columns, limited(client.pages('/api/fleet/computers', { query }), limit))
  },
})

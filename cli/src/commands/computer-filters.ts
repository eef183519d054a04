import type { MusterClient, operations } from '@muster/client'
import type { Options, Parameter } from '../command.ts'
import { findFieldValues } from '../names/custom-fields.ts'
import { findGroup } from '../names/groups.ts'

export type ComputerQuery = NonNullable<operations['listFleetComputers']['parameters']['query']>

/** The values that the API accepts for a parameter. */
type Values<Name extends keyof ComputerQuery> = Extract<ComputerQuery[Name], readonly unknown[]>

type ComputerFilter = { option: Parameter; parameter: keyof ComputerQuery }

/** An option that is passed to the API as it is. Without values, it takes any text. */
function filter<Name extends keyof ComputerQuery>(
  parameter: Name,
  syntax: string,
  meaning: string,
  values: Values<Name>,
): ComputerFilter {
  const words = values as readonly string[]
  return {
    parameter,
    option: words.length > 0 ? [syntax, `${meaning}: ${words.join(', ')}`, words] : [syntax, meaning],
  }
}

export const issueNames: Values<'issue'> = [
  ...(['low-disk', 'battery-wear', 'bitlocker-off', 'pending-reboot', 'failed-deployment'] as const),
  ...(['missing-patch', 'stale-agent', 'stale-inventory', 'stale-deployment', 'agent-suspended'] as const),
  'software-drift',
]

export const computerFilters: readonly ComputerFilter[] = [
  filter('healthStatus', '--health <states...>', 'Health', ['Healthy', 'Warning', 'Unreachable']),
  filter('agentStatus', '--agent <states...>', 'State of the agent', ['Reporting', 'Stale', 'Silent', 'Unknown']),
  filter('lastContact', '--contact <ages...>', 'Last contact', ['Day', 'Week', 'Month', 'Older', 'Never']),
  filter('connection', '--connection <states...>', 'Whether the agent is connected', ['Connected', 'NotConnected']),
  filter('nextContact', '--next-contact <times...>', 'Next contact, as expected', [
    ...(['WhenCalled', 'Overdue', 'Hour', 'Day', 'Later', 'None'] as const),
  ]),
  filter('issue', '--issue <issues...>', 'With one of these issues', issueNames),
  filter('operatingSystem', '--os <names...>', 'With one of these operating systems', []),
  filter('osVersion', '--os-version <versions...>', 'With one of these versions of the operating system', []),
  filter('model', '--model <models...>', 'Of one of these models', []),
  filter('tag', '--tag <tags...>', 'With one of these tags', []),
  filter('missingSeverity', '--missing <severities...>', 'Severity of the most severe missing patch', [
    ...(['Critical', 'Important', 'Moderate', 'Low', 'Unknown', 'None'] as const),
  ]),
  filter('patchAge', '--patch-age <ages...>', 'Age of the oldest missing patch', [
    ...(['UpTo7Days', 'UpTo30Days', 'UpTo90Days', 'Older', 'Unknown', 'NoneMissing', 'NotScanned'] as const),
  ]),
]

/** The options of commands that select computers. */
export const filterOptions: readonly Parameter[] = [
  ...computerFilters.map(({ option }) => option),
  ['--field <values...>', 'With one of these values of a custom field, such as Room=4.17'],
  ['--group <paths...>', 'Members of one of these groups', 'group'],
]

const optionName = (syntax: string) =>
  syntax.slice(2, syntax.indexOf(' ')).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The part of a query that these options and the words to search for select. Empty if nothing is selected. */
export async function toFilterQuery(
  client: MusterClient,
  options: Options,
  words: readonly string[],
): Promise<ComputerQuery> {
  const paths = (options.group as string[] | undefined) ?? []
  const groups = await Promise.all(paths.map((path) => findGroup(client, path)))
  const fields = await findFieldValues(client, (options.field as string[] | undefined) ?? [])
  const filters = computerFilters
    .map(({ option, parameter }) => [parameter, options[optionName(option[0])]] as const)
    .filter(([, value]) => value !== undefined)
  return {
    ...(words.length > 0 && { search: words.join(' ') }),
    ...(fields.length > 0 && { customField: fields }),
    ...(groups.length > 0 && { groupId: groups.map(({ id }) => id) }),
    ...Object.fromEntries(filters),
  } as ComputerQuery
}

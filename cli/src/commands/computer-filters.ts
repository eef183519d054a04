import type { operations } from '@muster/client'
import type { Parameter } from '../command.ts'

export type ComputerQuery = NonNullable<operations['listFleetComputers']['parameters']['query']>

/** The values that the API accepts for a parameter. */
type Values<Name extends keyof ComputerQuery> = Extract<ComputerQuery[Name], readonly unknown[]>

type ComputerFilter = { option: Parameter; parameter: keyof ComputerQuery }

/** An option that is passed to the API as it is. */
function filter<Name extends keyof ComputerQuery>(
  parameter: Name,
  syntax: string,
  meaning: string,
  values: Values<Name>,
): ComputerFilter {
  const words = values as readonly string[]
  return { parameter, option: [syntax, words.length > 0 ? `${meaning}: ${words.join(', ')}` : meaning, words] }
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
  filter('issue', '--issue <issues...>', 'With one of these issues', issueNames),
  filter('operatingSystem', '--os <names...>', 'With one of these operating systems', []),
  filter('missingSeverity', '--missing <severities...>', 'Severity of the most severe missing patch', [
    ...(['Critical', 'Important', 'Moderate', 'Low', 'Unknown', 'None'] as const),
  ]),
  filter('patchAge', '--patch-age <ages...>', 'Age of the oldest missing patch', [
    ...(['UpTo7Days', 'UpTo30Days', 'UpTo90Days', 'Older', 'Unknown', 'NoneMissing', 'NotScanned'] as const),
  ]),
]

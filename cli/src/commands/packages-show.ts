import { answerOf, type components } from '@muster/client'
import { command } from '../command.ts'
import { findPackage, formatPackage } from '../names/packages.ts'
import { formatTime } from '../output/times.ts'

type PackagePage = components['schemas']['PackagePage']

export const showPackage = command({
  name: 'packages show',
  summary: 'Show a package: its relations to others, the computers that it is for, and its result there',
  arguments: [['<package>', 'Name of the package, with @version if there are several', 'package']],
  options: [],
  examples: [['muster packages show firefox@128', 'What comes with it, and what it keeps away or replaces']],
  operations: ['listFleetPackages', 'getPackagePage'],
  async run({ args, client, output }) {
    const { id } = await findPackage(client, args[0] ?? '')
    const page = await answerOf(client.GET('/api/fleet/packages/{id}', { params: { path: { id } } }))
    const { package: shown, relations, onlyFor, status } = page
    const { requires, supersedes, conflicts, requiredBy, supersededBy } = relations
    output.object(page, [
      ['Package', formatPackage(shown)],
      ['Kind', shown.kind],
      ['Released', shown.operational ? 'yes' : 'no'],
      ['Last trial', formatLastTrial(shown)],
      ...requires.map(
        ({ name, pulledIn, packageId }) =>
          [
            'Requires',
            `${name} (${packageId === null ? unknown : pulledIn ? 'is pulled in' : 'only waits for it'})`,
          ] as const,
      ),
      ...supersedes.map(
        ({ name, uninstallFirst }) =>
          ['Supersedes', `${name} (${uninstallFirst ? 'uninstalled first' : 'upgrade in place'})`] as const,
      ),
      ...conflicts.map(({ name }) => ['Conflicts with', name] as const),
      ...formatConditions(onlyFor).map((line) => ['Only for', line] as const),
      ...requiredBy.map((one) => ['Required by', formatRelated(one)] as const),
      ...supersededBy.map((one) => ['Superseded by', formatRelated(one)] as const),
      [
        'Computers',
        `${status.success} installed, ${status.pending} pending, ${status.failed} failed, ${status.notApplicable} not applicable`,
      ],
    ])
  },
})

function formatLastTrial({ lastTrial }: PackagePage['package']): string | undefined {
  if (!lastTrial) return undefined
  const { state, hostname, isCurrentContent, finishedAtUtc } = lastTrial
  return `${state} on ${hostname}, ${formatTime(finishedAtUtc)}${isCurrentContent ? '' : ', with other content'}`
}

const unknown = 'no package has this name'

const formatRelated = ({ name, version }: { name: string; version: string | null }) =>
  [name, version].filter(Boolean).join(' ')

/** One line for each condition. A computer has to meet all of them. */
function formatConditions(conditions: PackagePage['onlyFor']): string[] {
  if (!conditions) return []
  const { osVersion, osEditions, architectures, minMemoryMb, minFreeDiskGb, software, customFields, variables } =
    conditions
  return [
    osVersion && `operating system version ${formatRange(osVersion)}`,
    osEditions && `edition ${osEditions.join(' or ')}`,
    architectures && `architecture ${architectures.join(' or ')}`,
    minMemoryMb && `at least ${minMemoryMb} MB of memory`,
    minFreeDiskGb && `at least ${minFreeDiskGb} GB of free disk space`,
    ...(software ?? []).map(({ name, absent, ...range }) =>
      [absent ? 'computers without' : 'computers with', name, formatRange(range)].filter(Boolean).join(' '),
    ),
    ...(customFields ?? []).map(({ name, values }) => `field ${name}: ${values.join(' or ')}`),
    ...(variables ?? []).map(({ name, values }) => `variable ${name}: ${values.join(' or ')}`),
  ].filter((line) => typeof line === 'string')
}

function formatRange({ min, below }: { min?: string; below?: string }): string {
  return [min && `${min} or later`, below && `below ${below}`].filter(Boolean).join(', ')
}

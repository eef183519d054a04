import { answerOf, type components } from '@muster/client'
import { formatBytes, visibleLine } from '@muster/text'
import { changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import { followRollout } from '../follow/follow-rollout.ts'
import { findGroup } from '../names/groups.ts'
import { findPackage, formatPackage } from '../names/packages.ts'
import { parseCount } from '../numbers.ts'
import { formatCount } from '../output/counts.ts'
import type { Column } from '../output/output.ts'
import { timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'
import { parseRing } from './rings.ts'

type Schemas = components['schemas']
type Line = Schemas['PackageLine']
type Version = Schemas['LineVersion'] & { platform: Line['platform']; proposal: string }
type Unused = Schemas['UnusedPackage']

const packageArgument = ['<package>', 'Name of the package, with @version if there are several', 'package'] as const

const columns: readonly Column<Version>[] = [
  ['name', ({ name }) => name],
  ['version', ({ version }) => version],
  ['platform', ({ platform }) => platform],
  ['state', ({ state }) => state],
  ['released', ({ operational }) => (operational ? 'yes' : 'no')],
  ['groups', ({ groupCount }) => groupCount],
  ['installed', ({ installedCount }) => installedCount],
  ['pending', ({ pendingCount }) => pendingCount],
  ['size', ({ sizeBytes }) => formatBytes(sizeBytes)],
  ['proposed', ({ proposal }) => proposal],
]

const versions = command({
  name: 'packages versions',
  summary: 'List package lines with their versions, the newest first',
  arguments: [['[words...]', 'Words in the name']],
  options: [['--limit <count>', 'List at most this many lines']],
  examples: [['muster packages versions 7-zip', 'Which versions are in use, superseded and unused']],
  operations: ['listPackageLines'],
  async run({ client, names, options, output }) {
    const query = { top: 200, ...(names.length > 0 && { nameContains: names.join(' ') }) }
    const lines = limited(client.pages('/api/package-lines', { query }), parseLimit(options.limit))
    await output.rows(columns, versionsOf(lines))
  },
})

async function* versionsOf(lines: AsyncIterable<Line>): AsyncGenerator<Version> {
  for await (const { platform, versions: listed, proposal } of lines)
    for (const version of listed) {
      const isProposed = proposal?.packageId === version.id
      yield { ...version, platform, proposal: isProposed ? `to ${formatCount(proposal.groupCount, 'group')}` : '' }
    }
}

const upgrade = command({
  name: 'packages upgrade',
  summary: 'Bring a version to the groups that have an older one, ring by ring',
  description:
    'By default to all groups that have an older version. Rings are numbers of computers or percentages: --rings 5 10% 100%.',
  arguments: [packageArgument],
  options: [
    ['--group <paths...>', 'Only these groups', 'group'],
    ['--rings <sizes...>', 'Sizes of the rings; 10% 100% by default'],
    ['--watch', 'Follow the rollout until it ends or pauses, if there is only one'],
    expectOption,
    dryRunOption,
  ],
  examples: [
    ['muster packages upgrade 7-zip@24.09 --dry-run', 'Shows the groups and how many computers they have'],
    ['muster packages upgrade 7-zip@24.09 --rings 5 100%', 'Five computers of each group first'],
  ],
  operations: [
    'listFleetPackages',
    'getUpgradeProposal',
    'createPackageUpgrade',
    'listGroupTree',
    'getRollout',
    'listRolloutComputers',
    'streamEvents',
  ],
  async run({ args, client, options, output, terminal }) {
    const { id } = await findPackage(client, args[0] ?? '')
    const groupIds = []
    for (const path of (options.group as string[] | undefined) ?? []) groupIds.push((await findGroup(client, path)).id)
    if (groupIds.length === 0) {
      const { groups } = await answerOf(client.GET('/api/packages/{id}/upgrade-proposal', { params: { path: { id } } }))
      for (const { path, obstacle } of groups)
        if (obstacle !== null) terminal.note(`${visibleLine(`Left out: ${path} (${obstacle})`)}\n`)
      groupIds.push(...groups.filter(({ obstacle }) => obstacle === null).map(({ groupId }) => groupId))
    }
    if (groupIds.length === 0) throw new CommandFailure('No group has an older version that can be upgraded.')
    const rings = (options.rings as string[] | undefined)?.map(parseRing)
    const started = await answerOf(
      client.POST('/api/packages/{id}/upgrade', {
        params: { path: { id }, query: changeQuery(options) },
        body: { groupIds, emergency: false, allowLastOfSite: false, ...(rings && { rings }) },
      }),
    )
    output.result(started, describeUpgrade(started, options.dryRun === true))
    const [rollout, ...others] = started.rollouts
    if (options.watch && !options.dryRun && rollout && others.length === 0)
      await followRollout(client, terminal, rollout.rolloutId)
  },
})

function describeUpgrade({ name, version, groups, rollouts }: Schemas['PackageUpgrade'], isDryRun: boolean): string[] {
  const computers = rollouts.reduce((sum, { computerCount }) => sum + computerCount, 0)
  const label = [name, version].filter(Boolean).join(' ')
  return [
    `${label} ${isDryRun ? 'would take' : 'takes'} the place of older versions in ${formatCount(groups.length, 'group')}, ` +
      `with ${formatCount(computers, 'computer')}:`,
    ...groups.map(({ path, oldVersion }) => `  ${path}: from ${oldVersion}`),
    ...rollouts.map((rollout) => `  Rollout "${rollout.name}": ${formatCount(rollout.computerCount, 'computer')}`),
  ]
}

const rollBack = command({
  name: 'packages roll-back',
  summary: 'Bring the previous version back to the computers that the last upgrade to a version has reached',
  arguments: [['<package>', 'The version that is taken back: its name, with @version if there are several', 'package']],
  options: [expectOption, dryRunOption],
  examples: [
    ['muster packages roll-back 7-zip@24.09 --dry-run', 'Shows how many computers get the previous version'],
    ['muster packages roll-back 7-zip@24.09', 'Uninstalls 24.09 and installs what was there before'],
  ],
  operations: ['listFleetPackages', 'listPackageUpgrades', 'rollBackPackageUpgrade'],
  async run({ args, client, options, output }) {
    const found = await findPackage(client, args[0] ?? '')
    const { items } = await answerOf(
      client.GET('/api/package-upgrades', { params: { query: { packageId: found.id, top: 100 } } }),
    )
    const last = items.find(({ packageId, rolledBackAtUtc }) => packageId === found.id && rolledBackAtUtc === null)
    if (!last) throw new CommandFailure(`No upgrade to ${formatPackage(found)} is known that could be rolled back.`)
    const answer = await answerOf(
      client.POST('/api/package-upgrades/{id}/roll-back', {
        params: { path: { id: last.upgradeId }, query: changeQuery(options) },
      }),
    )
    output.result(answer, describeRollBack(answer, options.dryRun === true))
  },
})

function describeRollBack(
  { computerCount, withdrawnCount, groups }: Schemas['RolledBackUpgrade'],
  isDryRun: boolean,
): string[] {
  const verb = isDryRun ? 'would get' : computerCount === 1 ? 'gets' : 'get'
  const lines = [`${formatCount(computerCount, 'computer')} ${verb} the previous version again.`]
  if (withdrawnCount > 0)
    lines.push(
      `Of ${formatCount(withdrawnCount, 'computer')}, pending work ${isDryRun ? 'would be' : 'was'} withdrawn.`,
    )
  for (const { path, oldVersion, obstacle } of groups)
    lines.push(obstacle === null ? `  ${path}: ${oldVersion}` : `  ${path}: stays as it is (${obstacle})`)
  return lines
}

const unusedColumns: readonly Column<Unused>[] = [
  ['name', ({ name }) => name],
  ['version', ({ version }) => version],
  ['platform', ({ platform }) => platform],
  ['state', ({ state }) => state],
  ['newest', ({ isNewest }) => (isNewest ? 'yes' : 'no')],
  ['imported', ({ importedAtUtc }) => timeOf(importedAtUtc)],
  ['frees', ({ freedBytes }) => formatBytes(freedBytes)],
]

const cleanUp = command({
  name: 'packages clean-up',
  summary: 'List versions that nothing refers to, and delete them',
  description:
    'Lists them, and deletes them only with --expect. The newest version of a line stays unless you name it.',
  arguments: [['[packages...]', 'Only these packages: name@version', 'package']],
  options: [['--expect <count>', 'Delete the packages if they are exactly this many'], dryRunOption],
  examples: [
    ['muster packages clean-up', 'What could be deleted, and how much room that frees'],
    ['muster packages clean-up --expect 12', 'Deletes the twelve packages of the list'],
  ],
  operations: ['listUnusedPackages', 'deleteUnusedPackages'],
  async run({ client, names, options, output, terminal }) {
    const { items } = await answerOf(client.GET('/api/package-lines/unused'))
    const chosen =
      names.length === 0 ? items.filter(({ isNewest }) => !isNewest) : names.map((name) => choose(items, name))
    if (options.expect === undefined && options.dryRun !== true) {
      const freed = chosen.reduce((sum, { freedBytes }) => sum + freedBytes, 0)
      if (chosen.length > 0)
        terminal.note(
          `${formatCount(chosen.length, 'package')}, ${formatBytes(freed)}. Delete them with --expect ${chosen.length}.\n`,
        )
      return output.rows(unusedColumns, chosen)
    }
    const expected = options.expect === undefined ? chosen.length : parseCount(options.expect, '--expect')
    if (chosen.length === 0) return output.result({ deletedCount: 0 }, 'Nothing can be deleted.')
    if (expected !== chosen.length)
      throw new CommandFailure(
        `${formatCount(chosen.length, 'package')} can be deleted, and not ${expected}. Look at the list again.`,
      )
    const answer = await answerOf(
      client.POST('/api/package-lines/clean-up', {
        params: { query: options.dryRun === true ? { dryRun: true } : {} },
        body: { packageIds: chosen.map(({ id }) => id), expectedPackages: expected },
      }),
    )
    const verb = options.dryRun ? 'would be' : answer.deletedCount === 1 ? 'was' : 'were'
    output.result(answer, [
      `${formatCount(answer.deletedCount, 'package')} ${verb} deleted, which frees ${formatBytes(answer.freedBytes)}:`,
      ...answer.deleted.map((label) => `  ${label}`),
    ])
  },
})

function choose(items: readonly Unused[], name: string): Unused {
  const found = items.filter(({ id, name: own, version }) => [id, own, `${own}@${version}`].includes(name))
  if (found[0] && found.length === 1) return found[0]
  throw new UsageError(
    found.length === 0
      ? `No unused package is named "${name}": nothing has this name, or something refers to it.`
      : `"${name}" is ambiguous: ${found.length} packages match. Add @version.`,
  )
}

const line = command({
  name: 'packages line',
  summary: 'Set the line to which a package belongs',
  description: 'By default, packages with the same name and platform are versions of one line.',
  arguments: [packageArgument, ['[line]', 'Name of the line; without it, the name of the package counts again']],
  options: [dryRunOption],
  examples: [['muster packages line 7zip-x64@24.09 7-zip', 'The vendor has renamed its package']],
  operations: ['listFleetPackages', 'setPackageLine'],
  async run({ args, client, options, output }) {
    const found = await findPackage(client, args[0] ?? '')
    const name = args[1] ?? null
    const query = options.dryRun === true ? { dryRun: true } : {}
    const answer = await answerOf(
      client.PUT('/api/packages/{id}/line', { params: { path: { id: found.id }, query }, body: { line: name } }),
    )
    const verb = options.dryRun ? 'would be' : 'is'
    output.result(answer, [
      `${formatPackage(found)} ${verb} a version of ${answer.key}:`,
      ...answer.versions.map((version) => `  ${formatPackage(version)}`),
    ])
  },
})

export const packageLines = [versions, upgrade, rollBack, cleanUp, line]

import { answerOf, type components, type MusterClient } from '@muster/client'
import { changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import { followTask } from '../follow/follow-task.ts'
import { findGroup } from '../names/groups.ts'
import { findPackage, formatPackage, type PackageSummary } from '../names/packages.ts'
import { formatCount } from '../output/counts.ts'
import type { Column } from '../output/output.ts'
import { timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'
import { packageRecipes } from './package-recipes.ts'
import { packageTrials } from './package-trials.ts'
import { addPackages, listUploads } from './packages-add.ts'
import { showPackage } from './packages-show.ts'
import { waitForImport } from './wait-for-import.ts'
import { wingetCommands } from './winget.ts'

type Device = components['schemas']['PackageStatusDevice']

const columns: readonly Column<PackageSummary>[] = [
  ['name', ({ name }) => name],
  ['version', ({ version }) => version],
  ['kind', ({ kind }) => kind],
  ['released', ({ operational }) => (operational ? 'yes' : 'no')],
  ['signed', ({ signature }) => signature?.keyId],
  ['installed', ({ deployments }) => deployments.success],
  ['failed', ({ deployments }) => deployments.failed],
  ['pending', ({ deployments }) => deployments.pending],
]

const list = command({
  name: 'packages list',
  summary: 'List packages',
  arguments: [['[words...]', 'Words in the name']],
  options: [
    ['--failing', 'Only packages that fail on some computer'],
    ['--limit <count>', 'List at most this many'],
  ],
  examples: [['muster packages list --failing', 'What needs attention']],
  operations: ['listFleetPackages'],
  async run({ client, names, options, output }) {
    const query = {
      top: 1_000,
      ...(names.length > 0 && { search: names.join(' ') }),
      ...(options.failing === true && { failing: true }),
    }
    await output.rows(columns, limited(client.pages('/api/fleet/packages', { query }), parseLimit(options.limit)))
  },
})

const importPackage = command({
  name: 'packages import',
  summary: 'Import a package from a folder of the package store, and wait for the result',
  arguments: [['<folder>', 'The folder, relative to the package store']],
  options: [['--overwrite', 'Replace the content of a package that exists'], dryRunOption],
  examples: [['muster packages import firefox-128', 'Imports the folder firefox-128 of the package store']],
  operations: ['importPackage', 'getPackageImport'],
  async run({ args, client, options, output, terminal }) {
    const { trackingId } = await answerOf(
      client.POST('/api/packages/import', {
        params: { query: changeQuery(options) },
        body: { folderPath: args[0] ?? '', overwrite: options.overwrite === true },
      }),
    )
    if (options.dryRun) return output.result({ trackingId }, 'The import would be started.')
    const job = await waitForImport({ client, terminal }, trackingId)
    if (job.status === 'Failed') throw new CommandFailure(`The import of ${args[0]} failed: ${job.message}`)
    output.result(job, `${args[0]} was imported: package ${job.packageId}`)
  },
})

/** Releases or withdraws a package. */
const releasing = (name: 'release' | 'withdraw', operational: boolean) =>
  command({
    name: `packages ${name}`,
    summary: operational ? 'Allow agents to install a package' : 'Stop new installations of a package',
    arguments: [['<package>', 'Name of the package, with @version if there are several', 'package']],
    options: [expectOption, dryRunOption],
    examples: [[`muster packages ${name} firefox@128`, 'By name and version']],
    operations: ['listFleetPackages', 'setReadyToInstall', 'getUpgradeProposal'],
    async run({ args, client, options, output }) {
      const { id } = await findPackage(client, args[0] ?? '')
      const params = { path: { id }, query: changeQuery(options) }
      const answer = await answerOf(
        client.PUT('/api/packages/{id}/ready-to-install', { params, body: { operational } }),
      )
      const effect = operational ? 'released' : 'withdrawn'
      output.result(answer, [
        `${formatPackage(answer)} ${options.dryRun ? 'would be' : 'is'} ${effect}.`,
        ...(operational && answer.type === 'Software' ? await proposeUpgrade(client, answer) : []),
      ])
    },
  })

/** What a person may want to do with a new version. Packages that belong to no line have none. */
async function proposeUpgrade(client: MusterClient, released: components['schemas']['Package']): Promise<string[]> {
  if (released.subType !== null) return []
  const path = { id: released.id }
  const { groups } = await answerOf(client.GET('/api/packages/{id}/upgrade-proposal', { params: { path } }))
  if (groups.length === 0) return []
  const having = `${formatCount(groups.length, 'group')} ${groups.length === 1 ? 'has' : 'have'} an older version`
  return [`${having}. Bring this one to them: muster packages upgrade ${formatPackageName(released)}`]
}

/** As an argument of a command. */
const formatPackageName = ({ name, version }: components['schemas']['Package']) => {
  const text = version ? `${name}@${version}` : name
  return /^[\w@.+-]+$/.test(text) ? text : JSON.stringify(text)
}

const deviceColumns: readonly Column<Device>[] = [
  ['computer', ({ hostname }) => hostname],
  ['domain', ({ domain }) => domain],
  ['status', ({ status }) => status],
  ['installed', ({ installTime }) => timeOf(installTime)],
  ['group', ({ assignedGroupPath }) => assignedGroupPath],
  ['error', ({ errorText }) => errorText],
]

const status = command({
  name: 'packages status',
  summary: 'Show where a package is installed, pending or failing',
  arguments: [['<package>', 'Name of the package, with @version if there are several', 'package']],
  options: [['--group <path>', 'Only computers of this group', 'group']],
  examples: [['muster packages status firefox@128 -o csv', 'All computers to which it is assigned']],
  operations: ['listFleetPackages', 'getPackageStatus', 'listGroupTree'],
  async run({ args, client, options, output, terminal }) {
    const { id } = await findPackage(client, args[0] ?? '')
    const group = options.group === undefined ? undefined : await findGroup(client, String(options.group))
    const read = (skip: number) =>
      answerOf(
        client.GET('/api/packages/{id}/status', {
          params: { path: { id }, query: { top: 1_000, skip, ...(group && { groupId: group.id }) } },
        }),
      )
    const first = await read(0)
    terminal.note(
      `${first.success} installed, ${first.pending} pending, ${first.failed} failed, ${first.notApplicable} not applicable\n`,
    )
    await output.rows(
      deviceColumns,
      devices(first.devices, async (skip) => (await read(skip)).devices),
    )
  },
})

const retry = command({
  name: 'packages retry',
  summary: 'Retry a package on the computers on which it fails',
  description: 'At most the 5,000 latest failures are retried; repeat the command for more.',
  arguments: [['<package>', 'Name of the package, with @version if there are several', 'package']],
  options: [['--watch', 'Follow it until it has finished'], expectOption, dryRunOption],
  examples: [['muster packages retry firefox@128 --dry-run', 'On how many computers it would be retried']],
  operations: ['listFleetPackages', 'retryPackage', 'getTask', 'streamEvents'],
  async run({ args, client, options, output, terminal }) {
    const chosen = await findPackage(client, args[0] ?? '')
    const answer = await answerOf(
      client.POST('/api/packages/{id}/retry', {
        params: { path: { id: chosen.id }, query: changeQuery(options) },
        body: {},
      }),
    )
    const { computerCount, trackingId } = answer
    const effect = options.dryRun ? 'would be retried' : 'is retried'
    const task = trackingId && !options.dryRun ? `: task ${trackingId}` : ''
    output.result(answer, `${formatPackage(chosen)} ${effect} on ${formatCount(computerCount, 'computer')}${task}.`)
    if (options.watch && !options.dryRun && trackingId) await followTask(client, terminal, trackingId)
  },
})

type Devices = components['schemas']['PagedResultOfPackageStatusDevice']

async function* devices(first: Devices, read: (skip: number) => Promise<Devices>): AsyncGenerator<Device> {
  for (let page = first, skip = 0; ; page = await read(skip)) {
    yield* page.items
    skip += page.items.length
    if (!page.hasMore) return
    if (page.items.length === 0) throw new CommandFailure('The list of the service does not end.')
  }
}

export const packages = [
  list,
  showPackage,
  addPackages,
  listUploads,
  ...wingetCommands,
  ...packageRecipes,
  importPackage,
  releasing('release', true),
  releasing('withdraw', false),
  status,
  retry,
  ...packageTrials,
]

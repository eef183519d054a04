import type { Answer, components } from '@muster/client'
import { type Call, type ChangeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { type ConfirmedChange, makeConfirmed } from '../confirm-change.ts'
import { UsageError } from '../errors.ts'
import { followTask } from '../follow/follow-task.ts'
import { findComputers } from '../names/computers.ts'
import { findPackage, formatPackage } from '../names/packages.ts'
import { formatCount } from '../output/counts.ts'
import { formatDeploymentPlan } from '../output/deployment-plan.ts'
import { filterOptions, toFilterQuery } from './computer-filters.ts'
import { formatWarning, parseWarning, warningOptions } from './warning-options.ts'

type Schemas = components['schemas']
type Selection = { ids: number[] /** Whether a person has named each of them. */; areNamed: boolean }

const computersArgument = ['[computers...]', 'Names of computers, or # and their ids', 'computer'] as const
const packageArgument = ['<package>', 'The package, with @version if there are several', 'package'] as const
const watchOption = ['--watch', 'Follow the work until it has finished; exit with 1 if something failed'] as const
const searchOption = ['--search <text>', 'Computers with this text in their name, user, address or software'] as const

const selecting = [...filterOptions, searchOption] as const
const changing = [expectOption, dryRunOption] as const

/** What all commands call to find the computers. */
const finding = [
  ...(['getComputer', 'searchComputers', 'listFleetComputers', 'listGroupTree', 'listCustomFields'] as const),
] as const
const following = ['getTask', 'streamEvents'] as const

/** Either the named computers, or those that the options select. Nothing selects all of them by mistake. */
async function select({ client, names, options }: Call): Promise<Selection> {
  const text = options.search === undefined ? [] : [String(options.search)]
  const query = await toFilterQuery(client, options, text)
  const hasFilter = Object.keys(query).length > 0
  if (names.length > 0 && hasFilter) throw new UsageError('Name computers, or select them with options, but not both.')
  if (names.length > 0) return { ids: (await findComputers(client, names)).map(({ id }) => id), areNamed: true }
  if (!hasFilter) throw new UsageError('Name computers, or select them with options such as --group.')
  const ids: number[] = []
  for await (const { id } of client.pages('/api/fleet/computers', { query: { top: 1_000, ...query } })) ids.push(id)
  if (ids.length === 0) throw new UsageError('No computer is selected.')
  return { ids, areNamed: false }
}

type Change<T> = {
  /** The change, as the subject of a sentence. */
  what: string
  send: (computerIds: number[], query: ChangeQuery) => Promise<Answer<T>>
  /** People confirm it even if they have named each computer. */
  isAlwaysConfirmed?: boolean
}

async function change<T>(
  call: Call,
  { what, send, isAlwaysConfirmed = false }: Change<T>,
): Promise<ConfirmedChange<T>> {
  const { ids, areNamed } = await select(call)
  const named = areNamed && !isAlwaysConfirmed ? ids.length : 0
  return makeConfirmed(call, { what, named }, (query) => send(ids, query))
}

/** Writes what was done, in the words for it or for a dry run, and follows its task if asked to. */
async function report(call: Call, answer: { trackingId: string | null }, lines: readonly string[]): Promise<void> {
  const { client, options, output, terminal } = call
  const { trackingId } = answer
  output.result(answer, [...lines, ...(trackingId && !options.dryRun ? [`Task ${trackingId}`] : [])])
  if (options.watch && !options.dryRun && trackingId) await followTask(client, terminal, trackingId)
}

const counted = (lines: readonly (readonly [count: number, text: string])[]) =>
  lines.flatMap(([count, text]) => (count > 0 ? [`${formatCount(count, 'computer')} ${text}`] : []))

const deploy = command({
  name: 'selection deploy',
  summary: 'Deploy the assigned software to several computers',
  arguments: [computersArgument],
  options: [...selecting, watchOption, ...changing],
  examples: [
    ['muster selection deploy pc-01 pc-02 --watch', 'Follows the work until it has finished'],
    ['muster selection deploy --issue failed-deployment --dry-run', 'What would be installed, and where'],
  ],
  operations: [...finding, 'activateComputers', ...following],
  async run(call) {
    const { answer } = await change<Schemas['SelectionActivation']>(call, {
      what: 'The deployment',
      send: (computerIds, query) =>
        call.client.POST('/api/fleet/computers/activation', { params: { query }, body: { computerIds } }),
    })
    const will = call.options.dryRun ? 'would get' : 'get'
    await report(call, answer, [
      `${formatCount(answer.computersWithWork, 'computer')} ${will} ${formatCount(answer.packageCount, 'package')}.`,
      ...formatDeploymentPlan(answer.plan),
    ])
  },
})

const install = command({
  name: 'selection install',
  summary: 'Install a package on several computers',
  description:
    'Computers to which the package is not assigned become members of its group below "Requested software". Other packages wait for ' +
    'their own deployment.',
  arguments: [packageArgument, computersArgument],
  options: [...selecting, watchOption, ...changing],
  examples: [
    ['muster selection install firefox@128 pc-01 pc-02 --watch', 'Follows the installation'],
    [
      'muster selection install firefox@128 --os "Windows 11" --dry-run',
      'On how many computers, and through which groups',
    ],
  ],
  operations: [...finding, 'listFleetPackages', 'installOnComputers', ...following],
  async run(call) {
    const chosen = await findPackage(call.client, call.args[0] ?? '')
    const { answer, computers } = await change<Schemas['SelectionInstallation']>(call, {
      what: `The installation of ${formatPackage(chosen)}`,
      send: (computerIds, query) =>
        call.client.POST('/api/fleet/computers/software-install', {
          params: { query },
          body: { computerIds, packageId: chosen.id },
        }),
    })
    const is = call.options.dryRun ? 'would be' : 'is'
    await report(call, answer, [
      `${formatPackage(chosen)} ${is} installed on ${formatCount(computers, 'computer')}.`,
      ...answer.groups.map(
        ({ groupPath, selected, isJoined }) =>
          `  ${formatCount(selected, 'computer')} ${isJoined ? 'as new members of' : 'through'} ${groupPath}`,
      ),
      ...counted([
        [answer.alreadyInstalled, 'already with it.'],
        [answer.notApplicable, 'that it is not for.'],
        [answer.toUninstall, 'left out, because the options of the group say Uninstall.'],
      ]),
    ])
  },
})

const uninstall = command({
  name: 'selection uninstall',
  summary: 'Uninstall a package from several computers',
  description:
    'The options of the groups that have the package assigned say Uninstall from then on, so their other computers uninstall it at ' +
    'their next deployment, too. The assignments stay.',
  arguments: [packageArgument, computersArgument],
  options: [...selecting, watchOption, ...changing],
  examples: [
    ['muster selection uninstall firefox pc-01 pc-02 --dry-run', 'Also names the groups whose computers would follow'],
    ['muster selection uninstall firefox --group Office --expect 25', 'In a script: if 25 computers are affected'],
  ],
  operations: [...finding, 'listFleetPackages', 'uninstallOnComputers', ...following],
  async run(call) {
    const chosen = await findPackage(call.client, call.args[0] ?? '')
    const { answer } = await change<Schemas['SelectionUninstallation']>(call, {
      what: `The uninstallation of ${formatPackage(chosen)}, which applies to the whole groups that have it assigned,`,
      send: (computerIds, query) =>
        call.client.POST('/api/fleet/computers/software-uninstall', {
          params: { query },
          body: { computerIds, packageId: chosen.id },
        }),
    })
    const is = call.options.dryRun ? 'would be' : 'is'
    await report(call, answer, [
      `${formatPackage(chosen)} ${is} uninstalled from ${formatCount(answer.computersWithWork, 'computer')}.`,
      ...answer.groups.map(
        ({ groupPath, selected, computers }) =>
          `  ${groupPath}: ${selected} of ${formatCount(computers, 'computer')}; the others follow at their next deployment`,
      ),
      ...counted([
        [answer.alreadyPending, 'on which it is on its way.'],
        [answer.notInstalled, 'on which it is not installed.'],
        [answer.notAssigned, 'to which it is not assigned.'],
      ]),
    ])
  },
})

const restart = command({
  name: 'selection restart',
  summary: 'Restart several computers',
  arguments: [computersArgument],
  options: [...selecting, ...warningOptions, watchOption, ...changing],
  examples: [
    ['muster selection restart --issue pending-reboot --minutes 60', 'Users have an hour'],
    ['muster selection restart kiosk-1 kiosk-2 --now', 'At the next contact of their agents'],
  ],
  operations: [...finding, 'rebootComputers', ...following],
  async run(call) {
    const { now } = call.options
    const timeoutMinutes = parseWarning(call.options)
    const { answer } = await change<Schemas['SelectionReboot']>(call, {
      what: 'The restart',
      send: (computerIds, query) =>
        call.client.POST('/api/fleet/computers/reboot', {
          params: { query },
          body: { computerIds, timeoutMinutes },
        }),
    })
    const will = call.options.dryRun ? 'would restart' : 'restart'
    await report(call, answer, [
      `${formatCount(answer.requested + answer.alreadyRequested, 'computer')} ${will}${now ? ' at the next contact' : `; ${formatWarning(timeoutMinutes)}`}.`,
      ...counted([[answer.withoutGroup, 'in no group, which cannot be restarted.']]),
    ])
  },
})

const rescan = command({
  name: 'selection rescan',
  summary: 'Request the inventory of several computers',
  arguments: [computersArgument],
  options: [...selecting, watchOption, ...changing],
  examples: [['muster selection rescan --issue stale-inventory', 'Those with an old inventory']],
  operations: [...finding, 'rescanComputers', ...following],
  async run(call) {
    const { answer } = await change<Schemas['SelectionRescan']>(call, {
      what: 'The scan',
      send: (computerIds, query) =>
        call.client.POST('/api/fleet/computers/rescan', { params: { query }, body: { computerIds } }),
    })
    const will = call.options.dryRun ? 'would scan' : 'scan'
    await report(call, answer, [
      `${formatCount(answer.requested, 'computer')} ${will}.`,
      ...counted([[answer.alreadyRequested, 'already waiting for a scan.']]),
    ])
  },
})

const remove = command({
  name: 'selection delete',
  summary: 'Delete several computers',
  description:
    'With their inventory, history, variable values and credentials. A person types their number, and a script states it with --expect.',
  arguments: [computersArgument],
  options: [...selecting, ...changing],
  examples: [
    ['muster selection delete --contact Never --dry-run', 'Which computers have never reported'],
    ['muster selection delete pc-01 pc-02 --expect 2', 'In a script: deletes them if both exist'],
  ],
  operations: [...finding, 'deleteComputers'],
  async run(call) {
    const { answer } = await change<Schemas['DeletedComputers']>(call, {
      what: 'The deletion',
      isAlwaysConfirmed: true,
      send: (computerIds, query) =>
        call.client.POST('/api/fleet/computers/deletion', { params: { query }, body: { computerIds } }),
    })
    const are = call.options.dryRun ? 'would be' : answer.deleted === 1 ? 'is' : 'are'
    const names = (answer.firstComputers ?? []).map(({ name }) => `  ${name}`)
    const others = answer.deleted - names.length
    call.output.result(answer, [
      `${formatCount(answer.deleted, 'computer')} ${are} deleted.`,
      ...names,
      ...(names.length > 0 && others > 0 ? [`  … and ${others} more`] : []),
      ...(answer.masterServers > 0 ? ['The master server is kept.'] : []),
    ])
  },
})

export const selection = [deploy, install, uninstall, restart, rescan, remove]

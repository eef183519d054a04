import { answerOf, type components } from '@muster/client'
import { type Call, command, dryRunOption } from '../command.ts'
import { makeConfirmed } from '../confirm-change.ts'
import { UsageError } from '../errors.ts'
import { followTask } from '../follow/follow-task.ts'
import { type Computer, findComputer, fullName } from '../names/computers.ts'
import { formatGroupPath, listPlacedGroups } from '../names/groups.ts'
import { findPackage, formatPackage } from '../names/packages.ts'
import { formatCount } from '../output/counts.ts'
import { formatDeploymentPlan } from '../output/deployment-plan.ts'
import type { Column } from '../output/output.ts'
import { formatAge, formatNextContact, timeOf } from '../output/times.ts'
import { deadlineOptions, parseDeadline } from './deadline-options.ts'
import { formatPower, parsePower, parseWarningOrDeadline, powerOption } from './power-option.ts'
import { formatWarning, hasWarning, warningOptions } from './warning-options.ts'

type Event = components['schemas']['ComputerDistributionEvent']
type Deployed = components['schemas']['PackageOfComputer']
type Action = (call: Call, computer: Computer) => Promise<void>

const packageColumns: readonly Column<Deployed>[] = [
  ['package', ({ name }) => name],
  ['version', ({ version }) => version],
  ['status', ({ status }) => status],
  ['state', ({ installationState }) => installationState],
  ['installed', ({ installTime }) => timeOf(installTime)],
  ['group', ({ assignedGroupPath }) => assignedGroupPath],
  ['error', ({ errorText }) => errorText],
]

const eventColumns: readonly Column<Event>[] = [
  ['time', ({ logDateUtc }) => timeOf(logDateUtc)],
  ['package', ({ packageName }) => packageName],
  ['version', ({ version }) => version],
  ['mode', ({ installMode }) => installMode],
  ['result', ({ result }) => result],
  ['info', ({ info }) => info],
]

const pageOf = ({ client }: Call, { id }: Computer) =>
  answerOf(client.GET('/api/fleet/computers/{id}', { params: { path: { id } } }))

const actions: Record<string, Action> = {
  async show(call, computer) {
    const page = await pageOf(call, computer)
    call.output.object(page, [
      ['Name', `${fullName(computer)} (#${computer.id})`],
      ['Health', `${page.healthStatus}, agent ${page.agentStatus}, last contact ${formatAge(computer.lastSeenUtc)}`],
      ['Next contact', formatNextContact(page.nextContactUtc, page.computer.connectedNow)],
      ['System', [page.operatingSystem, page.osVersion, page.architecture].filter(Boolean).join(' ')],
      ['Model', [page.manufacturer, page.model].filter(Boolean).join(' ')],
      ['Serial number', computer.serialNumber],
      ['Same UUID', page.sameUuid.map(({ hostname }) => hostname).join(', ')],
      ['Address', [page.ipAddress, computer.macAddress].filter(Boolean).join(' ')],
      ['User', page.loggedOnUser],
      ['Groups', page.groups.map(({ path }) => path).join(', ')],
      ['Issues', page.issues.map(({ issue, detail }) => `${issue} (${detail})`).join(', ')],
      ['Reboot', page.rebootRequired ? 'required' : 'not required'],
      ...page.packages.map(
        (one) => [`  ${one.name}`, `${one.version ?? ''} ${one.status} ${one.errorText ?? ''}`] as const,
      ),
    ])
  },
  async software(call, computer) {
    await call.output.rows(packageColumns, (await pageOf(call, computer)).packages)
  },
  async history({ client, output }, { id }) {
    const events = client.pages('/api/computer/{id}/distribution-history', { path: { id } })
    await output.rows(eventColumns, events)
  },
  async deploy(call, computer) {
    const { client } = call
    const { id } = computer
    const params = { path: { id }, query: dryRunOf(call) }
    const srl = parsePower(call.options)
    const body = { software: true, ...(srl && { srl }) }
    const { data } = await client.POST('/api/computer/{id}/activation', { params, body })
    const plan = [...(srl ? [formatPower(srl)] : []), ...formatDeploymentPlan(data?.plan)]
    const trackingId = data?.trackingId ?? undefined
    await report(call, computer, data, { what: 'Deployment of the assigned software', trackingId, lines: plan })
  },
  async uninstall(call, computer) {
    const { client, options } = call
    const chosen = await findPackage(client, call.args[2] ?? '')
    const what = `The uninstallation of ${formatPackage(chosen)}, which applies to the whole group that has it assigned,`
    const { answer, computers } = await makeConfirmed(call, { what, named: 1 }, (query) =>
      client.POST('/api/computer/{id}/software-uninstall', {
        params: { path: { id: computer.id }, query },
        body: { packageId: chosen.id },
      }),
    )
    const group = (await listPlacedGroups(client)).find(({ id }) => id === answer.groupId)
    const path = group ? formatGroupPath(group) : answer.groupId
    const others = options.dryRun ? 'would uninstall' : 'uninstall'
    await report(call, computer, answer, {
      what: `Uninstallation of ${formatPackage(chosen)}`,
      trackingId: answer.trackingId ?? undefined,
      lines: [
        `The ${formatCount(computers, 'computer')} of ${path} ${others} it at the next activation; the assignment stays.`,
      ],
    })
  },
  async reboot(call, computer) {
    const { client } = call
    const { id } = computer
    const body = parseWarningOrDeadline(call.options)
    const { data } = await client.POST('/api/computer/{id}/reboot', {
      params: { path: { id }, query: dryRunOf(call) },
      body,
    })
    const lines = body.userDeadline ? [] : [`It restarts; ${formatWarning(body.timeoutMinutes)}.`]
    await report(call, computer, data, { what: 'Reboot', trackingId: data?.trackingId, lines })
  },
  async rescan(call, computer) {
    const { client } = call
    const { id } = computer
    const params = { path: { id }, query: dryRunOf(call) }
    const { data } = await client.POST('/api/computer/{id}/rescan', { params, body: { scanType: 'Inventory' } })
    await report(call, computer, data, { what: 'Inventory', trackingId: data?.trackingId })
  },
}

const dryRunOf = ({ options }: Call) => (options.dryRun === true ? { dryRun: true } : {})

type Requested = { what: string; trackingId: string | undefined; lines?: readonly string[] }

/** Writes what was requested, with further lines, and when the agent will come for it. Follows its task if asked to. */
async function report(call: Call, computer: Computer, answer: unknown, { what, trackingId, lines = [] }: Requested) {
  const { client, options, output, terminal } = call
  const isRequested = options.dryRun ? 'would be requested' : `was requested${trackingId ? `: task ${trackingId}` : ''}`
  const page = await pageOf(call, computer)
  const nextContact = formatNextContact(page.nextContactUtc, page.computer.connectedNow)
  const when = nextContact && ` Next contact of the agent: ${nextContact}.`
  output.result(answer, [`${what} ${isRequested}.${when}`, ...lines])
  if (options.watch && !options.dryRun && trackingId) await followTask(client, terminal, trackingId)
}

export const computer = command({
  name: 'computer',
  summary: 'Show a computer, or do something with it',
  arguments: [
    ['<name>', 'Name of the computer, with or without its domain, or # and its id', 'computer'],
    ['[action]', Object.keys(actions).join(', '), Object.keys(actions)],
    ['[package]', 'With uninstall: the package, with @version if there are several'],
  ],
  choicesAfter: ([, action]) => (action === 'uninstall' ? 'package' : undefined),
  options: [
    ['--watch', 'Follow what was requested until it has finished'],
    powerOption,
    ...warningOptions,
    ...deadlineOptions,
    ['--expect <count>', 'With uninstall: refuse it unless the group with the assignment has this many computers'],
    dryRunOption,
  ],
  examples: [
    ['muster computer pc-01', 'Its health, groups, issues and software'],
    ['muster computer pc-01.corp.example.org history', 'What was installed, and when'],
    ['muster computer pc-01 deploy --watch', 'Deploys what is assigned, and waits for the result'],
    [
      'muster computer pc-01 deploy --then Shutdown --deadline 8 --postponements 3',
      'Shuts it down after its work, when the person agrees',
    ],
    ['muster computer pc-01 uninstall firefox --dry-run', 'Also names the group whose computers would uninstall it'],
    ['muster computer pc-01 reboot --dry-run', 'Checks whether a reboot could be requested'],
    ['muster computer pc-01 reboot --deadline 8 --postponements 3', 'Asks the person, and reboots after a working day'],
  ],
  operations: [
    ...(['getComputer', 'searchComputers', 'getComputerPage', 'listDistributionHistory'] as const),
    ...(['activateComputer', 'uninstallSoftware', 'listFleetPackages', 'listGroupTree'] as const),
    ...(['rebootComputer', 'rescanComputer', 'getTask', 'streamEvents'] as const),
  ],
  async run(call) {
    const [name = '', action = 'show', packageName] = call.args
    // A name must not be ignored: a deployment would bring everything.
    if (action !== 'uninstall' && packageName !== undefined) throw new UsageError(`${action} takes no package.`)
    if (action === 'uninstall' && packageName === undefined) throw new UsageError('Name the package.')
    if (action !== 'uninstall' && call.options.expect !== undefined) throw new UsageError('--expect is for uninstall.')
    const mayDelay = action === 'reboot' || action === 'deploy'
    if (!mayDelay && parseDeadline(call.options)) throw new UsageError('Only restarts and deployments have a deadline.')
    if (!mayDelay && hasWarning(call.options))
      throw new UsageError('--minutes and --now are for restarts and deployments.')
    if (action !== 'deploy' && call.options.then !== undefined) throw new UsageError('--then is for deploy.')
    await actions[action]?.(call, await findComputer(call.client, name))
  },
})

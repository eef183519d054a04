import { answerOf } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import { followTask } from '../follow/follow-task.ts'
import { type Computer, findComputers, fullName } from '../names/computers.ts'
import { findGroup, formatGroupPath, type PlacedGroup } from '../names/groups.ts'
import { findPackage, formatPackage, type PackageSummary } from '../names/packages.ts'
import { formatCount } from '../output/counts.ts'
import { formatDeploymentPlan } from '../output/deployment-plan.ts'
import { deadlineOptions, parseDeadline } from './deadline-options.ts'
import { describeConvergence } from './group-convergence.ts'
import { formatPower, parsePower, powerOption } from './power-option.ts'
import { hasWarning, warningOptions } from './warning-options.ts'

type Action = (call: Call, group: PlacedGroup) => Promise<void>

/** What the names after an action are. */
const namedThings: Record<string, string> = {
  add: 'computers',
  remove: 'computers',
  assign: 'packages',
  unassign: 'packages',
}

const actions: Record<string, Action> = {
  async show({ client, output }, group) {
    const page = await answerOf(client.GET('/api/fleet/groups/{id}', { params: { path: { id: group.id } } }))
    output.object(page, [
      ['Path', formatGroupPath(group)],
      ['Description', page.description],
      ['Computers', `${page.computers}, ${page.members} of them in the group itself`],
      ['Convergence', describeConvergence(page.convergence)],
      ['Groups below', page.subgroups.map(({ name }) => name).join(', ')],
      ...page.assignments.map(
        (one) =>
          [
            `  ${one.name}`,
            [
              one.version,
              one.type,
              one.isInherited && `from ${one.originGroupPath}`,
              one.status && formatStatus(one.status),
            ]
              .filter(Boolean)
              .join(', '),
          ] as const,
      ),
    ])
  },

  async add(call, group) {
    const { client, options, output } = call
    const computers = await findComputers(client, call.names)
    const answer = await answerOf(
      client.POST('/api/fleet/groups/{id}/computers', {
        params: { path: { id: group.id }, query: changeQuery(options) },
        body: { computerIds: computers.map(({ id }) => id) },
      }),
    )
    const skipped = [
      answer.alreadyMembers > 0 && `${answer.alreadyMembers} ${isOrAre(answer.alreadyMembers)} already in it`,
      answer.inOtherConfigurationGroup > 0 &&
        `${answer.inOtherConfigurationGroup} ${isOrAre(answer.inOtherConfigurationGroup)} in another configuration group`,
    ].filter(Boolean)
    const effect = options.dryRun ? 'would be' : isOrAre(answer.added)
    output.result(answer, `${[`${formatCount(answer.added, 'computer')} ${effect} added`, ...skipped].join('; ')}.`)
    if (answer.inOtherConfigurationGroup > 0) throw new CommandFailure(await describeRefused(call, group, computers))
  },

  async remove({ client, names, options, output }, group) {
    const computers = await findComputers(client, names)
    const answer = await answerOf(
      client.DELETE('/api/group/{id}/computers', {
        params: {
          path: { id: group.id },
          query: { computerIds: computers.map(({ id }) => id), ...changeQuery(options) },
        },
      }),
    )
    const { failed, results } = answer
    const removed = results.filter(({ status }) => status === 'Removed').length
    const others = results.length - failed - removed
    const effect = options.dryRun ? 'would be' : isOrAre(removed)
    const skipped = others > 0 ? [`${others} ${isOrAre(others)} not in the group itself`] : []
    output.result(answer, `${[`${formatCount(removed, 'computer')} ${effect} removed`, ...skipped].join('; ')}.`)
    const nameOf = (id: number) => computers.filter((one) => one.id === id).map(fullName)
    const refused = results.filter(({ success }) => !success)
    if (refused.length > 0)
      throw new CommandFailure([
        'Not removed:',
        ...refused.map(({ clientId, message }) => `  ${nameOf(clientId)}: ${message}`),
      ])
  },

  async assign(call, group) {
    await changePackages(call, 'assigned', ({ id: packageId }) =>
      call.client.POST('/api/group/{id}/packages', {
        params: { path: { id: group.id }, query: changeQuery(call.options) },
        body: { packageId },
      }),
    )
  },

  async unassign(call, group) {
    await changePackages(call, 'removed', ({ id: packageId }) =>
      call.client.DELETE('/api/group/{id}/packages/{packageId}', {
        params: { path: { id: group.id, packageId }, query: changeQuery(call.options) },
      }),
    )
  },

  async deploy(call, group) {
    const { client, options, output, terminal } = call
    const srl = parsePower(options)
    const answer = await answerOf(
      client.POST('/api/group/{id}/activation', {
        params: { path: { id: group.id }, query: changeQuery(options) },
        body: { software: true, ...(srl && { srl }) },
      }),
    )
    const task = answer.trackingId && !options.dryRun ? `: task ${answer.trackingId}` : ''
    output.result(answer, [
      `The assigned software ${options.dryRun ? 'would be' : 'is'} deployed to ${formatCount(answer.computerCount, 'computer')}${task}.`,
      ...(srl ? [formatPower(srl)] : []),
      ...formatDeploymentPlan(answer.plan),
    ])
    if (options.watch && !options.dryRun && answer.trackingId) await followTask(client, terminal, answer.trackingId)
  },
}

/** Names the computers that stay in their configuration group. */
async function describeRefused(
  { client }: Call,
  group: PlacedGroup,
  computers: readonly Computer[],
): Promise<string[]> {
  const lines = await Promise.all(
    computers.map(async (one) => {
      const page = await answerOf(client.GET('/api/fleet/computers/{id}', { params: { path: { id: one.id } } }))
      const other = page.groups.find(
        ({ assignedToTree, groupId }) => assignedToTree === 'ConfigurationGroups' && groupId !== group.id,
      )
      return other ? [`  ${fullName(one)} is in ${other.path}`] : []
    }),
  )
  return ['Not added, because of another configuration group:', ...lines.flat()]
}

const formatStatus = ({ success, failed, pending }: { success: number; failed: number; pending: number }) =>
  `${success} installed, ${failed} failed, ${pending} pending`

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are')

/** Changes one package after the other. The ones that failed are named at the end. */
async function changePackages(call: Call, effect: string, change: (one: PackageSummary) => Promise<unknown>) {
  const { client, names, options, output } = call
  const packages = await Promise.all(names.map((name) => findPackage(client, name)))
  const failures: string[] = []
  const changed: PackageSummary[] = []
  for (const one of packages)
    await change(one).then(
      () => changed.push(one),
      (error: Error) => failures.push(`${formatPackage(one)}: ${error.message}`),
    )
  const effects = changed.map((one) => `${formatPackage(one)} ${options.dryRun ? 'would be' : 'is'} ${effect}.`)
  if (changed.length > 0 || output.format === 'json')
    output.result(
      changed.map(({ id }) => ({ packageId: id, effect })),
      effects,
    )
  if (failures.length > 0) throw new CommandFailure(['Failed:', ...failures.map((line) => `  ${line}`)])
}

export const group = command({
  name: 'group',
  summary: 'Show a group, or change it and its computers',
  arguments: [
    ['<path>', 'Path of the group, or the end of it if that is unique', 'group'],
    ['[action]', Object.keys(actions).join(', '), Object.keys(actions)],
    ['[names...]', 'Computers to add or remove, or packages to assign or unassign'],
  ],
  choicesAfter: ([, action = '']) => (namedThings[action] === 'computers' ? 'computer' : 'package'),
  options: [
    ['--watch', 'With deploy: follow it until it has finished'],
    powerOption,
    ...warningOptions,
    ...deadlineOptions,
    expectOption,
    dryRunOption,
  ],
  examples: [
    ['muster group Office/Berlin', 'Its computers and assignments'],
    ['muster group Office/Berlin add pc-01 pc-02', 'Adds two computers'],
    ['muster group Office/Berlin remove pc-01', 'What the computer got through the group is not uninstalled'],
    ['muster group Office/Berlin assign firefox@128 --dry-run', 'Checks whether the package could be assigned'],
    ['muster group Office/Berlin deploy --expect 25 --watch', 'Deploys if 25 computers are affected, and waits'],
  ],
  operations: [
    ...(['listGroupTree', 'getGroupPage', 'addSelectionToGroup', 'removeGroupComputers'] as const),
    ...([
      'assignGroupPackage',
      'removeGroupPackage',
      'activateGroup',
      'getComputer',
      'getComputerPage',
      'searchComputers',
      'listFleetPackages',
      'getTask',
      'streamEvents',
    ] as const),
  ],
  async run(call) {
    const [path = '', action = 'show'] = call.args
    const namedBy = namedThings[action]
    // A name must not be ignored: a deployment would reach the whole group instead of that computer.
    if (!namedBy && call.names.length > 0)
      throw new UsageError(`${action} takes no names: it is about the whole group.`)
    if (namedBy && call.names.length === 0) throw new UsageError(`Name the ${namedBy}.`)
    const { options } = call
    const isDelayed = parseDeadline(options) !== null || hasWarning(options) || options.then !== undefined
    if (action !== 'deploy' && isDelayed) throw new UsageError('--then and its times are for deploy.')
    await actions[action]?.(call, await findGroup(call.client, path))
  },
})

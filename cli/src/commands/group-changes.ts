import { answerOf, type components } from '@muster/client'
import { changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { makeConfirmed } from '../confirm-change.ts'
import { UsageError } from '../errors.ts'
import { findGroup, formatGroupPath, isBelow, listPlacedGroups } from '../names/groups.ts'
import { formatCount } from '../output/counts.ts'

type Moved = components['schemas']['MovedGroup']

const pathArgument = ['<path>', 'Path of the group, or the end of it if that is unique', 'group'] as const

const create = command({
  name: 'groups create',
  summary: 'Create a group',
  arguments: [['<path>', 'Path of the new group: that of an existing group, and a name', 'group']],
  options: [['--description <text>', 'What the group is for'], dryRunOption],
  examples: [
    ['muster groups create Office/Berlin', 'Berlin, below Office'],
    ['muster groups create Assignment/Pilots --description "Get everything first"', 'Below the root of a tree'],
  ],
  operations: ['listGroupTree', 'createGroup'],
  async run({ args: [path = ''], client, options, output }) {
    const names = path.split('/').filter((part) => part !== '')
    const name = names.pop() ?? ''
    if (names.length === 0)
      throw new UsageError(`Write the parent before the name: Configuration/${name}, or Assignment/${name}.`)
    const parent = await findGroup(client, names.join('/'))
    const answer = await answerOf(
      client.POST('/api/group', {
        params: { query: changeQuery(options) },
        body: {
          name,
          parentId: parent.id,
          type: parent.assignedToTree as components['schemas']['GroupType'],
          ...(options.description !== undefined && { description: String(options.description) }),
        },
      }),
    )
    output.result(answer, `${formatGroupPath(parent)}/${name} ${options.dryRun ? 'would be' : 'is'} created.`)
  },
})

const rename = command({
  name: 'groups rename',
  summary: 'Rename a group',
  arguments: [pathArgument, ['<name>', 'Its new name']],
  options: [dryRunOption],
  examples: [['muster groups rename Office/Berlin "Berlin Mitte"', 'It stays where it is']],
  operations: ['listGroupTree', 'updateGroup'],
  async run({ args: [path = '', name = ''], client, options, output }) {
    const group = await findGroup(client, path)
    const answer = await answerOf(
      client.PATCH('/api/group/{id}', {
        params: { path: { id: group.id }, query: changeQuery(options) },
        body: { name },
      }),
    )
    output.result(answer, `${formatGroupPath(group)} ${options.dryRun ? 'would be' : 'is'} renamed to ${name}.`)
  },
})

const move = command({
  name: 'groups move',
  summary: 'Move a group below another one',
  description:
    'The group keeps its members, its assignments and the groups below it. What it inherits changes, and is listed. Computers ' +
    'follow at their next activation.',
  arguments: [pathArgument, ['<parent>', 'The group below which it moves', 'group']],
  options: [expectOption, dryRunOption],
  examples: [
    ['muster groups move Office/Berlin Branches --dry-run', 'What the group would gain and lose'],
    ['muster groups move Office/Berlin Branches --expect 25', 'Moves it if it has 25 computers'],
  ],
  operations: ['listGroupTree', 'moveGroup'],
  async run({ args: [path = '', parentPath = ''], client, options, output }) {
    const group = await findGroup(client, path)
    const parent = await findGroup(client, parentPath)
    const answer = await answerOf(
      client.PUT('/api/group/{id}/parent', {
        params: { path: { id: group.id }, query: changeQuery(options) },
        body: { parentId: parent.id },
      }),
    )
    const { path: newPath, previousPath } = answer
    const effect = `${previousPath} ${options.dryRun ? 'would be' : 'is'} moved to ${newPath}.`
    output.result(answer, [effect, ...describeInheritance(answer)])
  },
})

function describeInheritance({ gained, lost, variables, changesDistributionOptions }: Moved): string[] {
  const describe = ({ type, name, version, originGroupPath }: Moved['gained'][number]) =>
    `${[type, name, version].filter(Boolean).join(' ')} from ${originGroupPath}`
  const changed = variables.map(({ dottedName, isSecret, previousValue, value }) =>
    isSecret
      ? `  Variable ${dottedName}: another value`
      : `  Variable ${dottedName}: ${value ?? 'no value'} instead of ${previousValue ?? 'no value'}`,
  )
  const lines = [
    ...gained.map((one) => `  Gains ${describe(one)}`),
    ...lost.map((one) => `  Loses ${describe(one)}`),
    ...changed,
    ...(changesDistributionOptions ? ['  Other distribution options'] : []),
  ]
  return lines.length > 0 ? lines : ['  It inherits the same as before.']
}

const remove = command({
  name: 'groups delete',
  summary: 'Delete a group with everything below it',
  description:
    'Its assignments and those of the groups below it are deleted with it, but no computers. If it has computers, a person types ' +
    'their number, and a script states it with --expect.',
  arguments: [pathArgument],
  options: [expectOption, dryRunOption],
  examples: [
    ['muster groups delete Office/Berlin --dry-run', 'The number of its computers, and of the groups below it'],
    ['muster groups delete Office/Berlin --expect 25', 'In a script: deletes it if it has 25 computers'],
  ],
  operations: ['listGroupTree', 'deleteGroup'],
  async run(call) {
    const { args, client, options, output } = call
    const group = await findGroup(client, args[0] ?? '')
    const below = (await listPlacedGroups(client)).filter((one) => isBelow(one, group)).length
    const path = formatGroupPath(group)
    const whole = below > 0 ? `${path} with ${formatCount(below, 'group')} below it` : path
    const { computers } = await makeConfirmed(call, { what: `The deletion of ${whole}` }, (query) =>
      client.DELETE('/api/group/{id}', { params: { path: { id: group.id }, query: { force: true, ...query } } }),
    )
    const effect = options.dryRun ? 'would be' : 'is'
    output.result(
      { groupId: group.id, path, groupsBelow: below, computers },
      `${whole} ${effect} deleted. It ${options.dryRun ? 'has' : 'had'} ${formatCount(computers, 'computer')}.`,
    )
  },
})

export const groupChanges = [create, rename, move, remove]

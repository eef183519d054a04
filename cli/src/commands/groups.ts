import { visibleLine } from '@muster/text'
import { command } from '../command.ts'
import { formatGroupPath, listPlacedGroups, type PlacedGroup } from '../names/groups.ts'
import type { Column } from '../output/output.ts'
import { groupChanges } from './group-changes.ts'
import { groupConvergence } from './group-convergence.ts'

const columns: readonly Column<PlacedGroup>[] = [
  ['path', formatGroupPath],
  ['kind', ({ kind }) => kind],
  ['members', ({ members }) => members],
  ['computers', ({ computers }) => computers],
]

const tree = command({
  name: 'groups tree',
  summary: 'Show the groups of both trees',
  description: 'Members are computers of the group itself; computers include those of the groups below it.',
  examples: [
    ['muster groups tree', 'The groups, indented'],
    ['muster groups tree -o csv', 'Their paths and numbers of computers'],
  ],
  operations: ['listGroupTree'],
  async run({ client, output, terminal }) {
    const groups = await listPlacedGroups(client)
    if (output.format !== 'table') return output.rows(columns, groups)
    for (const { path, kind, computers } of groups) {
      const marks = kind === 'Ordinary' || kind === 'System' ? '' : ` [${visibleLine(kind)}]`
      terminal.write(
        `${'  '.repeat(path.length - 1)}${visibleLine(path.at(-1) ?? '')}${marks}  ${output.paint('dim', String(computers))}\n`,
      )
    }
  },
})

export const groups = [tree, ...groupChanges, groupConvergence]

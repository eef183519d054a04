import type { components } from '@muster/client'
import { command } from '../command.ts'
import type { Column } from '../output/output.ts'
import { limited, parseLimit } from './lists.ts'

const columns: readonly Column<components['schemas']['DuplicateName']>[] = [
  ['kind', ({ kind }) => kind],
  ['name', ({ shownName }) => shownName],
  ['stored', ({ name }) => JSON.stringify(name)],
  ['place', ({ place }) => place],
  ['id', ({ id }) => id],
]

export const duplicateNames = command({
  name: 'duplicate-names',
  summary: 'List names that look the same',
  options: [['--limit <count>', 'List at most this many']],
  examples: [['muster duplicate-names', 'Computers, groups and others to rename, because they differ only in blanks']],
  operations: ['listDuplicateNames'],
  async run({ client, options, output }) {
    const list = client.pages('/api/fleet/duplicate-names', { query: { top: 1_000 } })
    await output.rows(columns, limited(list, parseLimit(options.limit)))
  },
})

import type { components } from '@muster/client'
import { command } from '../command.ts'
import type { Column } from '../output/output.ts'
import { ageOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

const columns: readonly Column<components['schemas']['DuplicateUuid']>[] = [
  ['uuid', ({ uuid }) => uuid],
  ['computer', ({ hostname }) => hostname],
  ['domain', ({ domain }) => domain],
  ['mac', ({ macAddress }) => macAddress],
  ['agent', ({ hasAgent }) => (hasAgent ? 'yes' : 'no')],
  ['seen', ({ lastSeenUtc }) => ageOf(lastSeenUtc)],
]

export const duplicateUuids = command({
  name: 'duplicate-uuids',
  summary: 'List the computers that have the same UUID as another computer',
  options: [['--limit <count>', 'List at most this many']],
  examples: [['muster duplicate-uuids', 'Computers whose agents enrol only with a second property']],
  operations: ['listDuplicateUuids'],
  async run({ client, options, output }) {
    const list = client.pages('/api/fleet/duplicate-uuids', { query: { top: 1_000 } })
    await output.rows(columns, limited(list, parseLimit(options.limit)))
  },
})

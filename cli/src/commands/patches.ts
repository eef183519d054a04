import type { components, operations } from '@muster/client'
import { command } from '../command.ts'
import type { Column } from '../output/output.ts'
import { limited, parseLimit } from './lists.ts'

type Patch = components['schemas']['FleetPatch']
type Query = NonNullable<operations['listFleetPatches']['parameters']['query']>

const severities: readonly NonNullable<Patch['severity']>[] = ['Critical', 'Important', 'Moderate', 'Low', 'Unrated']
const ages: Extract<Query['age'], readonly unknown[]> = ['UpTo7Days', 'UpTo30Days', 'UpTo90Days', 'Older', 'Unknown']

const columns: readonly Column<Patch>[] = [
  ['patch', ({ patchName, qNumber }) => patchName ?? qNumber],
  ['bulletin', ({ bulletinId }) => bulletinId],
  ['severity', ({ severity }) => severity],
  ['released', ({ releaseDate }) => releaseDate?.slice(0, 10)],
  ['missing', ({ missing }) => missing],
  ['installed', ({ installed }) => installed],
  ['approved', ({ approvedProductCount, productCount }) => `${approvedProductCount}/${productCount}`],
  ['cves', ({ cves }) => cves.join(' ')],
]

export const patches = command({
  name: 'patches',
  summary: 'List patches, and on how many computers they are missing',
  arguments: [['[words...]', 'Words in the name, title or CVE']],
  options: [
    ['--severity <severities...>', severities.join(', '), severities],
    ['--age <ages...>', `Since their release: ${ages.join(', ')}`, ages],
    ['--missing', 'Only patches that are missing somewhere'],
    ['--approved', 'Only approved patches'],
    ['--limit <count>', 'List at most this many'],
  ],
  examples: [
    ['muster patches --missing --severity Critical', 'What to install first'],
    ['muster patches CVE-2026-1234', 'The patches for a vulnerability'],
  ],
  operations: ['listFleetPatches'],
  async run({ client, names, options, output }) {
    const query = {
      top: 1_000,
      ...(names.length > 0 && { search: names.join(' ') }),
      ...(options.severity !== undefined && { severity: options.severity }),
      ...(options.age !== undefined && { age: options.age }),
      ...(options.missing === true && { missing: true }),
      ...(options.approved === true && { approved: true }),
    } as Query
    await output.rows(columns, limited(client.pages('/api/fleet/patches', { query }), parseLimit(options.limit)))
  },
})

import type { components } from '@muster/client'
import { command } from '../command.ts'
import { findView } from '../names/views.ts'
import type { Column } from '../output/output.ts'
import { ageOf, timeOf } from '../output/times.ts'
import { type ComputerQuery, filterOptions, toFilterQuery } from './computer-filters.ts'
import { limited, parseLimit } from './lists.ts'

type Computer = components['schemas']['FleetComputer']

const columns: readonly Column<Computer>[] = [
  ['name', ({ hostname }) => hostname],
  ['domain', ({ domain }) => domain],
  ['system', ({ operatingSystem, osVersion }) => [operatingSystem, osVersion].filter(Boolean).join(' ')],
  ['health', ({ healthStatus }) => healthStatus],
  ['agent', ({ agentStatus }) => agentStatus],
  ['seen', ({ lastSeenUtc }) => ageOf(lastSeenUtc)],
  ['connected', ({ connectedNow }) => (connectedNow ? 'yes' : 'no')],
  ['next contact', ({ nextContactUtc }) => timeOf(nextContactUtc)],
  ['user', ({ loggedOnUser }) => loggedOnUser],
  ['address', ({ ipAddress }) => ipAddress],
  ['issues', ({ issues }) => issues.join(' ')],
  ['groups', ({ groups }) => groups.map(({ path }) => path).join(', ')],
]

export const computers = command({
  name: 'computers',
  summary: 'List computers',
  arguments: [['[words...]', 'Words in the name, serial number, user, address or installed software']],
  options: [
    ...filterOptions,
    ['--view <name>', 'The filters and the order of a saved view; other options add to it or replace it'],
    ['--sort <property>', 'Sort by hostname, lastSeenUtc, healthStatus, issues or another property'],
    ['--descending', 'Reverse the order'],
    ['--limit <count>', 'List at most this many'],
  ],
  examples: [
    ['muster computers --issue low-disk --group Office/Berlin', 'Computers of a group with nearly full drives'],
    ['muster computers firefox -o csv > firefox.csv', 'Computers on which something named firefox is installed'],
    ['muster computers --view "Late agents"', 'The computers of a saved view'],
    ['muster computers --contact Older Never --sort lastSeenUtc', 'Computers without contact for a month'],
  ],
  operations: ['listFleetComputers', 'listGroupTree', 'listCustomFields', 'listViews'],
  async run({ client, names, options, output }) {
    const view = options.view === undefined ? undefined : await findView(client, String(options.view))
    const query = {
      top: 1_000,
      ...view?.filters,
      ...(view && { sort: view.sort, descending: view.descending }),
      ...(await toFilterQuery(client, options, names)),
      ...(options.sort !== undefined && { sort: options.sort }),
      ...(options.descending === true && { descending: true }),
    } as ComputerQuery
    const limit = parseLimit(options.limit)
    await output.rows(columns, limited(client.pages('/api/fleet/computers', { query }), limit))
  },
})

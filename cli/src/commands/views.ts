import { answerOf, type components } from '@muster/client'
import { changeQuery, command, dryRunOption } from '../command.ts'
import { findView, type View } from '../names/views.ts'
import type { Column } from '../output/output.ts'
import { filterOptions, toFilterQuery } from './computer-filters.ts'
import { limited, parseLimit } from './lists.ts'

type Schemas = components['schemas']
type Role = Schemas['Role']

const formatFilters = (filters: View['filters']) =>
  Object.entries(filters)
    .map(([name, value]) => `${name}=${[value].flat().join(',')}`)
    .join(' ')

const columns: readonly Column<View>[] = [
  ['name', ({ name }) => name],
  ['filters', ({ filters }) => formatFilters(filters)],
  ['sort', ({ sort, descending }) => (descending ? `${sort} (descending)` : sort)],
  ['shared with', ({ sharedWith }) => sharedWith.join(' ')],
  ['saved by', ({ savedBy }) => savedBy],
]

const viewArgument = ['<view>', 'Name of the view, or its id'] as const

const list = command({
  name: 'views list',
  summary: 'List your saved views, and those shared with one of your roles',
  options: [['--limit <count>', 'List at most this many']],
  examples: [['muster views list', 'Lists of computers under a name']],
  operations: ['listViews'],
  async run({ client, options, output }) {
    const limit = parseLimit(options.limit)
    await output.rows(columns, limited(client.pages('/api/views', { query: { top: 1_000 } }), limit))
  },
})

const create = command({
  name: 'views create',
  summary: 'Save a view: filters and order of the list of computers under a name',
  arguments: [['<name>', 'Name of the new view']],
  options: [
    ...filterOptions,
    ['--search <text>', 'Computers with this text in their name, user, address or software'],
    ['--sort <property>', 'Sort by hostname, lastSeenUtc, healthStatus, issues or another property'],
    ['--descending', 'Reverse the order'],
    ['--share <roles...>', 'Roles whose principals see it as well'],
    dryRunOption,
  ],
  examples: [
    ['muster views create "Late agents" --next-contact Overdue --sort lastSeenUtc', 'For yourself'],
    ['muster views create "Lent out" --field "Status=lent" --share computer.read', 'For all who read computers'],
  ],
  operations: ['createView', 'listGroupTree', 'listCustomFields'],
  async run({ args: [name = ''], client, options, output }) {
    const words = options.search === undefined ? [] : [String(options.search)]
    const answer = await answerOf(
      client.POST('/api/views', {
        params: { query: changeQuery(options) },
        body: {
          page: 'computers',
          name,
          filters: (await toFilterQuery(client, options, words)) as Schemas['ViewFilters'],
          ...(options.sort !== undefined && { sort: options.sort as View['sort'] }),
          ...(options.descending === true && { descending: true }),
          ...(options.share !== undefined && { sharedWith: options.share as Role[] }),
        },
      }),
    )
    output.result(answer, `The view ${name} ${options.dryRun ? 'would be' : 'is'} saved.`)
  },
})

const share = command({
  name: 'views share',
  summary: 'Share a view with roles, and with no others',
  description: 'Without roles, nobody but its owner sees the view any more.',
  arguments: [viewArgument, ['[roles...]', 'Roles whose principals see the view']],
  options: [dryRunOption],
  examples: [
    ['muster views share "Late agents" computer.read', 'With all who read computers'],
    ['muster views share "Late agents"', 'With nobody any more'],
  ],
  operations: ['listViews', 'updateView'],
  async run({ args, names, client, options, output }) {
    const { id, name } = await findView(client, args[0] ?? '')
    const answer = await answerOf(
      client.PATCH('/api/views/{id}', {
        params: { path: { id }, query: changeQuery(options) },
        body: { sharedWith: [...names] as Role[] },
      }),
    )
    const readers = answer.sharedWith.length > 0 ? `shared with ${answer.sharedWith.join(', ')}` : 'private'
    output.result(answer, `${name} ${options.dryRun ? 'would be' : 'is'} ${readers}.`)
  },
})

const remove = command({
  name: 'views delete',
  summary: 'Delete a view',
  arguments: [viewArgument],
  options: [dryRunOption],
  examples: [['muster views delete "Late agents"', 'Also for those with whom it was shared']],
  operations: ['listViews', 'deleteView'],
  async run({ args, client, options, output }) {
    const { id, name } = await findView(client, args[0] ?? '')
    await client.DELETE('/api/views/{id}', { params: { path: { id }, query: changeQuery(options) } })
    output.result({ id, name }, `${name} ${options.dryRun ? 'would be' : 'is'} deleted.`)
  },
})

export const views = [list, create, share, remove]

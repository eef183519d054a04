import { answerOf, type components } from '@muster/client'
import { changeQuery, command, dryRunOption } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findLicence, type Licence } from '../names/reports.ts'
import { parseCount } from '../numbers.ts'
import type { Column } from '../output/output.ts'

type Changes = components['schemas']['UpdateLicenceRequest']

const columns: readonly Column<Licence>[] = [
  ['name', ({ name }) => name],
  ['product', ({ productPattern }) => productPattern],
  ['owned', ({ owned }) => owned],
]

const nameArgument = ['<licence>', 'Name of the licence, or its id'] as const

const list = command({
  name: 'licences list',
  summary: 'List what a report of licences compares with the installed software',
  examples: [['muster licences list', 'What is owned']],
  operations: ['listLicences'],
  async run({ client, output }) {
    await output.rows(columns, client.pages('/api/licences', { query: { top: 1_000 } }))
  },
})

const create = command({
  name: 'licences create',
  summary: 'Create a licence',
  arguments: [
    ['<name>', 'Name of the new licence'],
    ['<product>', 'Name of the installed software; * is any text, ? any character'],
    ['<owned>', 'The number of computers that may have it'],
  ],
  options: [dryRunOption],
  examples: [['muster licences create Drawing "Drawing Program*" 250', '250 computers may have it']],
  operations: ['createLicence'],
  async run({ args: [name = '', productPattern = '', owned = ''], client, options, output }) {
    const answer = await answerOf(
      client.POST('/api/licences', {
        params: { query: changeQuery(options) },
        body: { name, productPattern, owned: parseCount(owned, '<owned>') },
      }),
    )
    output.result(answer, `The licence ${name} ${options.dryRun ? 'would be' : 'is'} created.`)
  },
})

const update = command({
  name: 'licences update',
  summary: 'Change a licence',
  arguments: [nameArgument],
  options: [
    ['--name <name>', 'Its new name'],
    ['--product <name>', 'Name of the installed software'],
    ['--owned <count>', 'The number of computers that may have it'],
    dryRunOption,
  ],
  examples: [['muster licences update Drawing --owned 300', '50 more were bought']],
  operations: ['listLicences', 'updateLicence'],
  async run({ args, client, options, output }) {
    const body: Changes = {
      ...(options.name !== undefined && { name: String(options.name) }),
      ...(options.product !== undefined && { productPattern: String(options.product) }),
      ...(options.owned !== undefined && { owned: parseCount(options.owned, '--owned') }),
    }
    if (Object.keys(body).length === 0) throw new UsageError('Name what is to be changed, such as --owned.')
    const { id, name } = await findLicence(client, args[0] ?? '')
    const answer = await answerOf(
      client.PATCH('/api/licences/{id}', { params: { path: { id }, query: changeQuery(options) }, body }),
    )
    output.result(answer, `${name} ${options.dryRun ? 'would be' : 'is'} changed.`)
  },
})

const remove = command({
  name: 'licences delete',
  summary: 'Delete a licence',
  arguments: [nameArgument],
  options: [dryRunOption],
  examples: [['muster licences delete Drawing', 'Reports do not count it any more']],
  operations: ['listLicences', 'deleteLicence'],
  async run({ args, client, options, output }) {
    const { id, name } = await findLicence(client, args[0] ?? '')
    await client.DELETE('/api/licences/{id}', { params: { path: { id }, query: changeQuery(options) } })
    output.result({ id, name }, `${name} ${options.dryRun ? 'would be' : 'is'} deleted.`)
  },
})

export const licences = [list, create, update, remove]

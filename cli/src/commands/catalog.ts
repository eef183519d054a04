import { readFile, writeFile } from 'node:fs/promises'
import { answerOf, type components } from '@muster/client'
import { parse, stringify } from 'yaml'
import { type Call, changeQuery, command, dryRunOption, expectOption } from '../command.ts'

type Plan = components['schemas']['CatalogPlan']
type Change = components['schemas']['CatalogChange']
type Catalog = components['schemas']['Catalog']

const fileArgument = ['<file>', 'Catalog document, YAML or JSON; - for the standard input'] as const
const removeOption = ['--remove-missing', 'Also remove entries that the sections of the document do not list'] as const

async function readRequest({ args, options, terminal }: Call) {
  const [file = ''] = args
  const text = file === '-' ? await terminal.readInput() : await readFile(file, 'utf8')
  return { catalog: parse(text) as Catalog, removeMissing: options.removeMissing === true }
}

const plan = command({
  name: 'catalog plan',
  summary: 'Show what applying a catalog document would change',
  arguments: [fileArgument],
  options: [removeOption],
  examples: [['muster catalog plan catalog.yaml', 'Nothing is changed']],
  operations: ['planCatalog'],
  async run(call) {
    const answer = await answerOf(call.client.POST('/api/catalog/plan', { body: await readRequest(call) }))
    call.output.result(answer, describePlan(answer, 'Planned'))
  },
})

const apply = command({
  name: 'catalog apply',
  summary: 'Apply a catalog document',
  arguments: [fileArgument],
  options: [removeOption, expectOption, dryRunOption],
  examples: [['muster catalog apply catalog.yaml', 'All of it, or nothing']],
  operations: ['applyCatalog'],
  async run(call) {
    const params = { query: changeQuery(call.options) }
    const answer = await answerOf(call.client.POST('/api/catalog/apply', { params, body: await readRequest(call) }))
    call.output.result(answer, describePlan(answer, call.options.dryRun ? 'Planned' : 'Applied'))
  },
})

const exportCatalog = command({
  name: 'catalog export',
  summary: 'Write the current catalog to a file or to the standard output',
  arguments: [['[file]', 'JSON if the name ends in .json, otherwise YAML']],
  examples: [['muster catalog export catalog.yaml', 'To edit and apply it']],
  operations: ['getCatalog'],
  async run({ args: [file], client, output, terminal }) {
    const catalog = await answerOf(client.GET('/api/catalog'))
    const isJson = file === undefined ? output.format === 'json' : file.endsWith('.json')
    const text = isJson ? `${JSON.stringify(catalog, null, 2)}\n` : stringify(catalog)
    if (file === undefined) terminal.write(text)
    else await writeFile(file, text)
  },
})

function describePlan({ changes, added, changed, removed }: Plan, title: string): string {
  return [...changes.map(describeChange), `${title}: ${added} added, ${changed} changed, ${removed} removed.`].join(
    '\n',
  )
}

function describeChange({ section, name, action, fields, blockers }: Change): string {
  const changedFields = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  const blockedBy = blockers.length > 0 ? ` — blocked by: ${blockers.join(', ')}` : ''
  return `${action.padEnd(6)} ${section} ${name}${changedFields}${blockedBy}`
}

export const catalog = [plan, apply, exportCatalog]

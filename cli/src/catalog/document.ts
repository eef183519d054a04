import { readFile, writeFile } from 'node:fs/promises'
import { answerOf, type components } from '@muster/client'
import { visibleText } from '@muster/text'
import { parse, stringify } from 'yaml'
import { type Call, changeQuery } from '../command.ts'

type Plan = components['schemas']['CatalogPlan']
type Change = components['schemas']['CatalogChange']
type Catalog = components['schemas']['Catalog']

/** Shows the plan, and returns whether it has changes. */
export async function planDocument(call: Call, file: string): Promise<boolean> {
  const answer = await answerOf(call.client.POST('/api/catalog/plan', { body: await readRequest(call, file) }))
  call.output.result(answer, describePlan(answer, 'Planned'))
  return answer.changes.length > 0
}

export async function applyDocument(call: Call, file: string): Promise<void> {
  const params = { query: changeQuery(call.options) }
  const body = await readRequest(call, file)
  const answer = await answerOf(call.client.POST('/api/catalog/apply', { params, body }))
  call.output.result(answer, describePlan(answer, call.options.dryRun ? 'Planned' : 'Applied'))
}

/** Writes the document to the file, or to the standard output. */
export async function exportDocument({ client, output, terminal }: Call, file: string | undefined): Promise<void> {
  const catalog = await answerOf(client.GET('/api/catalog'))
  const isJson = file === undefined ? output.format === 'json' : file.endsWith('.json')
  const text = isJson ? `${JSON.stringify(catalog, null, 2)}\n` : stringify(catalog)
  if (file === undefined && isJson) output.json(catalog)
  else if (file === undefined) terminal.write(terminal.isTerminal ? visibleText(text) : text)
  else await writeFile(file, text)
}

async function readRequest({ options, terminal }: Call, file: string) {
  const text = file === '-' ? await terminal.readInput() : await readFile(file, 'utf8')
  return { catalog: parse(text) as Catalog, removeMissing: options.removeMissing === true }
}

function describePlan({ changes, added, changed, removed }: Plan, title: string): string[] {
  return [...changes.map(describeChange), `${title}: ${added} added, ${changed} changed, ${removed} removed.`]
}

function describeChange({ section, name, action, fields, blockers }: Change): string {
  const changedFields = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  const blockedBy = blockers.length > 0 ? ` — blocked by: ${blockers.join(', ')}` : ''
  return `${action.padEnd(6)} ${section} ${name}${changedFields}${blockedBy}`
}

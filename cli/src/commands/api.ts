import { readFile } from 'node:fs/promises'
import { limitAnswer, pagesOf } from '@muster/client'
import { visibleText } from '@muster/text'
import { resolveBodyNames } from '../api/body-names.ts'
import { type ApiOperation, findOperation, readOperations } from '../api/document.ts'
import { buildRequest, type ParameterValue } from '../api/request.ts'
import { type Call, command } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import { resolveName } from '../names/resolve.ts'
import type { Column } from '../output/output.ts'

/** As many as fit into the memory of any computer. */
const maxCsvItems = 100_000

const columns: readonly Column<ApiOperation>[] = [
  ['operation', ({ id }) => id],
  ['role', ({ role }) => role],
  ['request', ({ method, path }) => `${method} ${path}`],
  ['purpose', ({ summary }) => summary],
]

export const api = command({
  name: 'api',
  summary: 'Call any operation of the API',
  description: [
    'The operations, their parameters and bodies come from the OpenAPI document of the service.',
    'A parameter, or an id in the body, can be a name: computer:pc-01, group:Office/Berlin, package:firefox@128, rollout:, principal:, template:, webhook:, tag:, patch:, patch-group:, report:, licence: and view: stand for ids.',
  ].join('\n'),
  arguments: [['[operation]', 'The operation, such as getComputer', 'operation']],
  options: [
    ['-p, --param <name=value...>', 'A parameter of the path, of the query or a header; repeat it for lists'],
    ['-b, --body <json>', 'The body: JSON, @FILE, or - for the standard input'],
    ['--all', 'All pages of a list, as one'],
    ['--dry-run', 'Show what a change would do, and change nothing'],
    ['--list [word]', 'List the operations, or those whose name or purpose contains a word'],
    ['--describe', 'Show the parameters and an example of the body'],
  ],
  examples: [
    ['muster api --list rollout', 'The operations about rollouts'],
    ['muster api createTag --describe', 'Its parameters and an example of its body'],
    ['muster api createTag --body \'{"designation": "Berlin"}\' --dry-run', 'What would be created'],
    ['muster api listGroupComputers -p id=group:Office --all', 'All computers of the group Office'],
  ],
  operations: [],
  async run(call) {
    const { args, client, options, output } = call
    const operations = await readOperations(client)
    const [id] = args
    if (options.list !== undefined) return output.rows(columns, selectOperations(operations, options.list))
    if (id === undefined) throw new UsageError('Name an operation, or list them: muster api --list')
    const operation = findOperation(operations, id)
    if (options.describe) return describeOperation(call, operation)
    const values = await readParameters(call)
    const body = await readBody(call, operation)
    if (options.all) return writeAllPages(call, operation, values, body)
    await writeAnswer(call, await client.stream(buildRequest(client.address, operation, values, body)))
  },
})

function selectOperations(operations: readonly ApiOperation[], word: unknown): readonly ApiOperation[] {
  if (typeof word !== 'string') return operations
  return operations.filter(({ id, summary }) => `${id} ${summary}`.toLowerCase().includes(word.toLowerCase()))
}

function describeOperation({ output }: Call, operation: ApiOperation): void {
  output.object(operation, [
    ['Operation', `${operation.id}  ${operation.method} ${operation.path}`],
    ['Purpose', operation.summary],
    ['Details', operation.description],
    ['Role', operation.role ?? 'none'],
    ...operation.parameters.map(
      ({ name, required, description }) => [`  ${name}${required ? '' : '?'}`, description ?? ''] as const,
    ),
    ['Body', operation.body && JSON.stringify(operation.body.example, null, 2)],
  ])
}

async function readParameters({ client, options }: Call): Promise<ParameterValue[]> {
  const given = await Promise.all(
    ((options.param as string[] | undefined) ?? []).map(async (text): Promise<ParameterValue> => {
      const [, name, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? []
      if (name === undefined || value === undefined) throw new UsageError(`"${text}" is not of the form name=value.`)
      return [name, await resolveName(client, value)]
    }),
  )
  return options.dryRun ? [...given, ['dryRun', 'true']] : given
}

async function readBody(call: Call, operation: ApiOperation): Promise<string | undefined> {
  const text = await readText(call)
  if (text === undefined || !operation.body) return text
  return resolveBodyNames(text, operation.body, (name) => resolveName(call.client, name))
}

async function readText({ options, terminal }: Call): Promise<string | undefined> {
  const body = options.body as string | undefined
  if (body === '-') return terminal.readInput()
  return body?.startsWith('@') ? readFile(body.slice(1), 'utf8') : body
}

async function writeAnswer({ output, terminal }: Call, response: Response): Promise<void> {
  const affected = response.headers.get('muster-affected-computers')
  if (affected !== null) terminal.note(`Affected computers: ${affected}\n`)
  if (!/json/.test(response.headers.get('content-type') ?? '')) return writeAsItComes({ terminal }, response)
  const text = await limitAnswer(response, terminal.limits).text()
  if (text === '') return
  const answer = parseJson(text) as { items?: unknown } | null
  const items = Array.isArray(answer) ? answer : answer?.items
  await writeItems(output, Array.isArray(items) ? items : [answer], answer)
}

/** Files are not text, and a stream of events does not end. */
async function writeAsItComes({ terminal }: Pick<Call, 'terminal'>, { body, headers }: Response): Promise<void> {
  try {
    const decoder = new TextDecoder()
    // A terminal would obey colours, which are meant for what this command writes itself.
    for await (const part of body ?? [])
      terminal.write(terminal.isTerminal ? visibleText(decoder.decode(part, { stream: true })) : part)
  } catch (error) {
    const isStream = headers.get('content-type')?.startsWith('text/event-stream')
    // Half a file is a failure; people end a stream as they like.
    if (!terminal.signal.aborted || !isStream) throw error
  }
}

async function writeAllPages(
  { client, output }: Call,
  operation: ApiOperation,
  values: readonly ParameterValue[],
  body: string | undefined,
): Promise<void> {
  const items = pagesOf<unknown>(async ({ cursor }) => {
    const page: ParameterValue[] = cursor === undefined ? [] : [['cursor', cursor]]
    const response = await client.send(buildRequest(client.address, operation, [...values, ...page], body))
    const data = parseJson(await response.text()) as { items?: unknown } | null
    if (!Array.isArray(data?.items)) throw new UsageError(`${operation.id} does not return a list of pages.`)
    return { data: { items: data.items as unknown[] }, response }
  })
  if (output.format === 'csv') return writeItems(output, await collect(items), undefined)
  await output.jsonList(items)
}

/** The columns of CSV are the properties of all items, which are in memory for that. A list of a service may be endless. */
async function collect(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const collected: unknown[] = []
  for await (const item of items) {
    if (collected.length === maxCsvItems)
      throw new CommandFailure(`The list has more than ${maxCsvItems} items. Write it as JSON: -o json`)
    collected.push(item)
  }
  return collected
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailure('The answer of the service is not JSON.')
  }
}

/** Items as CSV with a column for each property; otherwise the answer as JSON. */
async function writeItems(output: Call['output'], items: readonly unknown[], answer: unknown): Promise<void> {
  if (output.format !== 'csv') return output.json(answer)
  const rows = items.map((item) => Object(item) as Record<string, unknown>)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  await output.rows(
    names.map((name): Column<Record<string, unknown>> => [name, (row) => toCsvText(row[name])]),
    rows,
  )
}

const toCsvText = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | number | boolean | null)

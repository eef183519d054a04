import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Schema = {
  $ref?: string
  anyOf?: Schema[]
  type?: string | string[]
  format?: string
  pattern?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  enum?: unknown[]
  examples?: unknown[]
}
type Operation = { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }

const path = join(import.meta.dirname, '../../docs/reference/agent-v1.json')
const { components, paths } = JSON.parse(await readFile(path, 'utf8')) as {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Operation>>
}

const nameOf = ({ $ref = '' }: Schema) => $ref.split('/').at(-1) ?? ''

/** The names of the schemas of all answers with JSON that the agent channel documents. */
export function listAnswers(): string[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods).filter((one) => one.responses))
  const schemas = operations.flatMap(({ responses }) => responses['200']?.content?.['application/json']?.schema ?? [])
  return [...new Set(schemas.map(nameOf))].sort()
}

/** An answer with every field that its schema knows. */
export function sampleOf(name: string): unknown {
  return sampleOfSchema(components.schemas[name] ?? {})
}

const hash = '4be1'.repeat(16)

function sampleOfSchema(schema: Schema): unknown {
  if (schema.$ref) return sampleOf(nameOf(schema))
  if (schema.anyOf) return sampleOfSchema(schema.anyOf[0] ?? {})
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, sampleOfSchema(one)]))
  if (typeof schema.additionalProperties === 'object') return { Name: sampleOfSchema(schema.additionalProperties) }
  if (schema.items) return [sampleOfSchema(schema.items)]
  if (schema.pattern?.includes('{64}')) return hash
  if (schema.enum) return schema.enum[0]
  return schema.examples?.[0] ?? { string: 'text', integer: 1, number: 1, boolean: true }[[schema.type].flat()[0] ?? '']
}

/** What a hostile server may send in place of a value, as JSON. Undefined leaves the value out. */
const replacements: Record<string, string | undefined> = {
  nothing: undefined,
  null: 'null',
  'a number': '5',
  zero: '0',
  'a negative number': '-7',
  'a fraction': '0.3',
  'a huge number': '1e300',
  'no finite number': '1e999',
  true: 'true',
  'an empty text': '""',
  'a path': '"../../trusted-keys"',
  'a text with control characters': JSON.stringify('a\u0000\u001b[2J\n\u202e'),
  'half of a character': String.raw`"\ud800"`,
  'an address with a password': '"https://user:secret@example.org/"',
  'an address with a query': '"https://example.org/?a=1"',
  'an address of a file': '"file:///etc/shadow"',
  'an empty list': '[]',
  'a list of nothing': '[null]',
  'an empty object': '{}',
  'a prototype': '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
  'deep lists': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  'deep objects': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
}

/** More of what the value is meant to be. */
const huge = { text: `"${'x'.repeat(200_001)}"`, list: `[${'0,'.repeat(100_000)}0]` }

function replacementsOf(value: unknown): [string, string | undefined][] {
  const more: [string, string][] = []
  if (typeof value === 'string') more.push(['a huge text', huge.text])
  if (Array.isArray(value)) more.push(['a huge list', huge.list])
  return [...Object.entries(replacements), ...more]
}

export type Mutation = { at: string; what: string; text: string }

/** The answer with each of its values replaced by each replacement, one at a time. */
export function* mutationsOf(sample: unknown): Generator<Mutation> {
  const mark = '@replaced@'
  for (const { at, value } of listValues(sample))
    for (const [what, replacement] of replacementsOf(value)) {
      const text = JSON.stringify(replaced(sample, at, replacement === undefined ? undefined : mark)) ?? ''
      yield { at: at.join('.'), what, text: text.replace(`"${mark}"`, () => replacement ?? '') }
    }
}

function listValues(value: unknown): { at: string[]; value: unknown }[] {
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const below = fields.flatMap(([name, one]) => listValues(one).map((found) => ({ ...found, at: [name, ...found.at] })))
  return [{ at: [], value }, ...below]
}

function replaced(value: unknown, [name, ...rest]: string[], replacement: unknown): unknown {
  if (name === undefined) return replacement
  if (Array.isArray(value))
    return value.map((one, index) => (String(index) === name ? replaced(one, rest, replacement) : one))
  const { [name]: found, ...others } = value as Record<string, unknown>
  return { ...others, [name]: replaced(found, rest, replacement) }
}

import { incompressibleText } from '../hostile-values.ts'
import type { FuzzOperation, Schema } from './documents.ts'
import type { Harvest } from './harvest.ts'
import { type Random, randomUuid } from './random.ts'

export type ValueContext = {
  random: Random
  harvest: Harvest
  operation: FuzzOperation
  /** The properties that lead to an array that the value must have, with items. */
  path?: readonly string[] | undefined
  /** Whether the value has only what is required, with the examples of the document: nearly all such values are valid. */
  isPlain?: boolean
}

const maxDepth = 6

/** A value that the schema allows, with ids of existing objects where the name of the property shows which are meant. */
export function validValue(context: ValueContext, schema: Schema, name = '', depth = 0): unknown {
  const { random, operation } = context
  const resolved = operation.resolve(schema)
  if (resolved.const !== undefined) return resolved.const
  if (resolved.enum) return random.find(resolved.enum)
  if (resolved.anyOf) return validValue(context, chooseOption(context, resolved.anyOf), name, depth)
  const types = [resolved.type ?? []].flat()
  const type = random.find(context.path ? types.filter((one) => one !== 'null') : types)
  if (type === 'null') return null
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'integer' || type === 'number') return validNumber(context, resolved, name)
  if (type === 'array') return validArray(context, resolved, name, depth)
  if (type === 'object') return validObject(context, resolved, depth)
  return validText(context, resolved, name)
}

/** A path leads through objects and arrays only. */
function chooseOption({ random, operation, path }: ValueContext, options: readonly Schema[]): Schema {
  const leading = options.filter((option) => /^(array|object)$/.test(String(operation.resolve(option).type)))
  return random.find(path && leading.length > 0 ? leading : options) ?? {}
}

function validNumber({ random, harvest, operation, isPlain }: ValueContext, schema: Schema, name: string): unknown {
  const known =
    /id$|^attempt$/i.test(name) && random.chance(0.9) ? harvest.find(random, name, operation.path) : undefined
  if (typeof known === 'number') return known
  const { minimum = -5, maximum = 1000 } = schema
  if (isPlain) return schema.examples?.[0] ?? minimum
  const range = Math.min(maximum - minimum, 1000)
  return random.pick([
    schema.examples?.[0] ?? minimum,
    minimum,
    maximum,
    minimum + random.integer(range + 1),
    minimum + random.integer(range + 1),
  ])
}

function validText(
  { random, harvest, operation, isPlain = false }: ValueContext,
  schema: Schema,
  name: string,
): unknown {
  const { format, pattern, maxLength = 1000, minLength = 0 } = schema
  const isId = format === 'uuid' || /id$|token|sha/i.test(name)
  const isKnown = isPlain ? isId : random.chance(isId ? 0.9 : 0.15)
  const found = isKnown ? harvest.find(random, name, operation.path) : undefined
  if (isPlain) return found ?? schema.examples?.[0] ?? 'x'.repeat(Math.max(1, minLength))
  if (found !== undefined && String(found).length <= maxLength) return otherCase(random, String(found))
  if (format === 'uuid') return randomUuid(random)
  if (format === 'date-time') return validInstant(random)
  if (!pattern && !format && random.chance(0.03))
    return incompressibleText(Math.min(maxLength, maxTextLength), random.integer(1000))
  const example = String(schema.examples?.[0] ?? schema.default ?? 'x'.repeat(Math.max(1, minLength)))
  // Names must differ from each other. Other texts often mean something, such as a time zone.
  const freeShare = /name|designation|description|title/i.test(name) ? 0.7 : 0.2
  if (pattern || format || !random.chance(freeShare)) return example
  return `${example} ${random.integer(100_000)}`.slice(0, maxLength)
}

const maxTextLength = 4_000

/** Names are unique regardless of their case. */
function otherCase(random: Random, text: string): string {
  return random.chance(0.1)
    ? random.pick([text.toUpperCase(), text.toLowerCase(), ` ${text}`, text.normalize('NFD')])
    : text
}

/** The first and the last instants are as valid as others. */
function validInstant(random: Random): string {
  if (random.chance(0.15)) return random.pick(extremeInstants)
  return new Date(1.7e12 + random.integer(2e9) * 1000).toISOString()
}

const extremeInstants = [
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+14:00',
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '2038-01-19T03:14:08Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59-23:59',
  '2026-03-29T02:30:00.123456+05:30',
] as const

function validArray(context: ValueContext, schema: Schema, name: string, depth: number): unknown[] {
  const { minItems = 0, maxItems = 3, items = {} } = schema
  const { random, path, isPlain } = context
  const wanted = path ? Math.max(1, minItems) : minItems
  const length = depth > maxDepth || isPlain ? wanted : Math.min(maxItems, wanted + random.integer(3))
  const values = Array.from({ length }, () => validValue(context, items, name, depth + 1))
  return schema.uniqueItems ? [...new Set(values)] : values
}

function validObject(context: ValueContext, schema: Schema, depth: number): object {
  const { properties = {}, required = [], additionalProperties } = schema
  const { random, path: [wanted, ...rest] = [], isPlain = false } = context
  const optionalShare = isPlain ? 0 : 0.4
  const present = Object.entries(properties).filter(
    ([name]) => name === wanted || required.includes(name) || (depth <= maxDepth && random.chance(optionalShare)),
  )
  const values = present.map(([name, property]) => {
    const path = name === wanted ? rest : undefined
    return [name, validValue({ ...context, path }, property, name, depth + 1)]
  })
  if (typeof additionalProperties === 'object' && random.chance(0.5))
    values.push(['key', validValue({ ...context, path: undefined }, additionalProperties, 'key', depth + 1)])
  return Object.fromEntries(values)
}

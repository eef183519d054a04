import type { FuzzOperation, Schema } from './documents.ts'
import type { Harvest } from './harvest.ts'
import { type Random, randomUuid } from './random.ts'

export type ValueContext = { random: Random; harvest: Harvest; operation: FuzzOperation }

const maxDepth = 6

/** A value that the schema allows, with ids of existing objects where the name of the property shows which are meant. */
export function validValue(context: ValueContext, schema: Schema, name = '', depth = 0): unknown {
  const { random, operation } = context
  const resolved = operation.resolve(schema)
  if (resolved.const !== undefined) return resolved.const
  if (resolved.enum) return random.find(resolved.enum)
  if (resolved.anyOf) return validValue(context, random.find(resolved.anyOf) ?? {}, name, depth)
  const type = random.find([resolved.type ?? []].flat())
  if (type === 'null') return null
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'integer' || type === 'number') return validNumber(context, resolved, name)
  if (type === 'array') return validArray(context, resolved, name, depth)
  if (type === 'object') return validObject(context, resolved, depth)
  return validText(context, resolved, name)
}

function validNumber({ random, harvest, operation }: ValueContext, schema: Schema, name: string): unknown {
  const known =
    /id$|^attempt$/i.test(name) && random.chance(0.9) ? harvest.find(random, name, operation.path) : undefined
  if (typeof known === 'number') return known
  const { minimum = -5, maximum = 1000 } = schema
  const range = Math.min(maximum - minimum, 1000)
  return random.pick([
    schema.examples?.[0] ?? minimum,
    minimum,
    maximum,
    minimum + random.integer(range + 1),
    minimum + random.integer(range + 1),
  ])
}

function validText({ random, harvest, operation }: ValueContext, schema: Schema, name: string): unknown {
  const { format, pattern, maxLength = 1000, minLength = 0 } = schema
  const known = random.chance(format === 'uuid' || /id$|token|sha/i.test(name) ? 0.9 : 0.15)
  const found = known ? harvest.find(random, name, operation.path) : undefined
  if (found !== undefined && String(found).length <= maxLength) return String(found)
  if (format === 'uuid') return randomUuid(random)
  if (format === 'date-time') return new Date(1.7e12 + random.integer(2e9) * 1000).toISOString()
  const example = String(schema.examples?.[0] ?? schema.default ?? 'x'.repeat(Math.max(1, minLength)))
  // Names must differ from each other. Other texts often mean something, such as a time zone.
  const freeShare = /name|designation|description|title/i.test(name) ? 0.7 : 0.2
  if (pattern || format || !random.chance(freeShare)) return example
  return `${example} ${random.integer(100_000)}`.slice(0, maxLength)
}

function validArray(context: ValueContext, schema: Schema, name: string, depth: number): unknown[] {
  const { minItems = 0, maxItems = 3, items = {} } = schema
  const length = depth > maxDepth ? minItems : Math.min(maxItems, minItems + context.random.integer(3))
  const values = Array.from({ length }, () => validValue(context, items, name, depth + 1))
  return schema.uniqueItems ? [...new Set(values)] : values
}

function validObject(context: ValueContext, schema: Schema, depth: number): object {
  const { properties = {}, required = [], additionalProperties } = schema
  const present = Object.entries(properties).filter(
    ([name]) => required.includes(name) || (depth <= maxDepth && context.random.chance(0.4)),
  )
  const values = present.map(([name, property]) => [name, validValue(context, property, name, depth + 1)])
  if (typeof additionalProperties === 'object' && context.random.chance(0.5))
    values.push(['key', validValue(context, additionalProperties, 'key', depth + 1)])
  return Object.fromEntries(values)
}

import type { TSchema } from '../schema.ts'

/** Builds an example from the examples that the schema contains. */
export function exampleOf(schema: TSchema): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  const [type] = [schema.type].flat()
  if (type === 'array') return [exampleOf(schema.items)]
  if (type === 'object' && schema.properties)
    return Object.fromEntries(
      Object.entries<TSchema>(schema.properties).map(([name, property]) => [name, exampleOf(property)]),
    )
  throw new Error(`This schema contains no example: ${JSON.stringify(schema)}`)
}

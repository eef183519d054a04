import type { TSchema } from '../schema.ts'

/** An example put together from those that the schema gives for its parts. */
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
  throw new Error(`This schema gives no example: ${JSON.stringify(schema)}`)
}

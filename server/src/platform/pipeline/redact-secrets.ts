import type { TSchema } from '../schema.ts'

/** Replaces everything that the schema marks as writeOnly. */
export function redactSecrets(schema: TSchema | null | undefined, value: unknown): unknown {
  if (schema?.writeOnly && value !== null) return '[secret]'
  if (Array.isArray(value)) return value.map((item) => redactSecrets(schema?.items, item))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      redactSecrets(ownProperty(schema, key) ?? additionalSchema(schema), child),
    ]),
  )
}

/** Keys of the caller must not find what every object inherits, such as `constructor`. */
function ownProperty(schema: TSchema | null | undefined, key: string): TSchema | undefined {
  return schema?.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
}

function additionalSchema(schema: TSchema | null | undefined): TSchema | undefined {
  const patterns: TSchema[] = Object.values(schema?.patternProperties ?? {})
  return patterns[0] ?? (typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined)
}

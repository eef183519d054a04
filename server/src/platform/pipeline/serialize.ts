import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from '../schema.ts'

const compiled = new WeakMap<TSchema, (value: unknown) => string>()

/** Formats an answer as JSON with exactly the properties of its schema. Serialisers are compiled on first use. */
export function serialize(schema: TSchema, value: unknown): string {
  let stringify = compiled.get(schema)
  if (!stringify) {
    stringify = fastJsonStringify(schema as object as fastJsonStringify.Schema)
    compiled.set(schema, stringify)
  }
  return stringify(value)
}

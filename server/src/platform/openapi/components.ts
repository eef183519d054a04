import { isDeepStrictEqual } from 'node:util'
import { ignoredKeyword, instantKeyword, nameKeyword, type TSchema } from '../schema.ts'

/** Keywords for request validation only. Readers of the document do not know them. */
const ownKeywords = [instantKeyword, ignoredKeyword, nameKeyword]

export type OpenApiObject = Record<string, unknown>

/** Collects the named schemas of a document and replaces them with references. */
export class Components {
  readonly schemas: Record<string, OpenApiObject> = {}

  /** The schema as the document shows it: a reference if the schema has a name. */
  reference(schema: TSchema): OpenApiObject {
    const { title } = schema
    if (!title) return this.#inline(schema)
    const isNullable = Array.isArray(schema.type) && schema.type.includes('null')
    this.#define(title, isNullable ? withoutNull(schema) : schema)
    const reference = { $ref: `#/components/schemas/${title}` }
    return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference
  }

  #define(title: string, schema: TSchema): void {
    const definition = this.#inline(schema)
    const known = this.schemas[title]
    if (known && !isDeepStrictEqual(known, definition)) throw new Error(`Two different schemas have the name ${title}.`)
    this.schemas[title] = definition
  }

  #inline(schema: TSchema): OpenApiObject {
    const entries = Object.entries(schema).filter(([keyword]) => !ownKeywords.includes(keyword))
    return Object.fromEntries(entries.map(([keyword, value]) => [keyword, this.#keyword(keyword, value)]))
  }

  #keyword(keyword: string, value: unknown): unknown {
    if (keyword === 'properties' || keyword === 'patternProperties')
      return Object.fromEntries(
        Object.entries(value as Record<string, TSchema>).map(([name, property]) => [name, this.reference(property)]),
      )
    if (keyword === 'items') return this.reference(value as TSchema)
    if (keyword === 'anyOf' || keyword === 'oneOf') return (value as TSchema[]).map((part) => this.reference(part))
    return value
  }
}

function withoutNull(schema: TSchema): TSchema {
  const types = (schema.type as string[]).filter((type) => type !== 'null')
  const values = schema.enum ? { enum: schema.enum.filter((value: unknown) => value !== null) } : {}
  return { ...schema, ...values, type: types.length === 1 ? types[0] : types }
}

import { type Static, type TOptional, type TProperties, type TSchema, Type } from '@sinclair/typebox'

export { type Static, type TSchema, Type }

/** An object that refuses unknown properties. */
export function closed<P extends TProperties>(properties: P, options: { title?: string; description?: string } = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** Gives a schema the name under which the OpenAPI document lists it. */
export function named<S extends TSchema>(title: string, schema: S): S {
  return { ...schema, title }
}

/** The value or null, written so that validators can say which of the two went wrong. */
export function nullable<S extends TSchema>(schema: S) {
  const values = schema.enum ? { enum: [...schema.enum, null] } : {}
  return Type.Unsafe<Static<S> | null>({ ...schema, ...values, type: [schema.type, 'null'] })
}

export function enumOf<const V extends readonly string[]>(
  values: V,
  options: { title?: string; description?: string } = {},
) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
}

/** The body of a PATCH: every property may be left out, or null, which both mean "keep". */
export function patchOf<P extends TProperties>(properties: P, options: { title?: string } = {}) {
  const entries = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(nullable(schema))])
  return closed(
    Object.fromEntries(entries) as { [K in keyof P]: TOptional<ReturnType<typeof nullable<P[K]>>> },
    options,
  )
}

/** A text for people, with the length that the database and the pages can bear. */
export const text = (maxLength: number, example: string, description?: string) =>
  Type.String({ maxLength, examples: [example], ...(description && { description }) })

export const Int32 = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, format: 'int32', examples: [42] })

/** An id that the database hands out. */
export const Id = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, format: 'int32', examples: [17] })

export const Uuid = Type.String({ format: 'uuid', examples: ['3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'] })

/** The keyword by which the validators know what to turn into a Date; the OpenAPI document leaves it out. */
export const instantKeyword = 'x-instant'

/**
 * A point in time: a Date for handlers, ISO 8601 in UTC on the wire.
 * Input without an offset is taken as UTC, other offsets are converted.
 */
export const Instant = Type.Unsafe<Date>({
  type: 'string',
  format: 'date-time',
  examples: ['2026-03-14T09:26:53.000Z'],
  [instantKeyword]: true,
})

/** The keyword by which the validators know what to drop; the OpenAPI document leaves it out. */
export const ignoredKeyword = 'x-ignored'

/**
 * A property that is accepted whatever it is, and gone once the request is validated: neither handlers nor the audit
 * trail meet a value of which nobody knows the shape, the size or the depth.
 */
export const ignored = (example: unknown, description: string) =>
  Type.Unsafe<unknown>({ examples: [example], description, [ignoredKeyword]: true })

/** The contract's wrapper of one page of a list. */
export function pagedResultOf<S extends TSchema>(item: S) {
  return Type.Object(
    {
      items: Type.Array(item),
      skip: Type.Integer({ format: 'int32', examples: [0], description: 'Items skipped' }),
      top: Type.Integer({ format: 'int32', examples: [50], description: 'Page size that was applied' }),
      totalCount: Type.Integer({ format: 'int32', examples: [1], description: 'Matching items in all' }),
      hasMore: Type.Boolean({ examples: [false], description: 'True while further pages exist' }),
    },
    { title: `PagedResultOf${item.title}`, additionalProperties: false },
  )
}

/** A SHA-256 hash in lower-case hexadecimal digits. */
export const sha256 = (description: string) =>
  Type.String({
    pattern: '^[\\da-f]{64}$',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    description,
  })

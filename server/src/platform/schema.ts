import { type Static, type TOptional, type TProperties, type TSchema, Type } from '@sinclair/typebox'

export { type Static, type TSchema, Type }

/** An object without additional properties. */
export function closed<P extends TProperties>(properties: P, options: { title?: string; description?: string } = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** Names a schema so that the OpenAPI document lists it as a component. */
export function named<S extends TSchema>(title: string, schema: S): S {
  return { ...schema, title }
}

/** The value or null. One schema instead of `anyOf` so that validation errors name what is wrong with the value. */
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

/** The body of a PATCH: every property may be missing or null, which both mean "do not change". */
export function patchOf<P extends TProperties>(properties: P, options: { title?: string } = {}) {
  const entries = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(nullable(schema))])
  return closed(
    Object.fromEntries(entries) as { [K in keyof P]: TOptional<ReturnType<typeof nullable<P[K]>>> },
    options,
  )
}

/** A text with a length limit. */
export const text = (maxLength: number, example: string, description?: string) =>
  Type.String({ maxLength, examples: [example], ...(description && { description }) })

export const Int32 = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, format: 'int32', examples: [42] })

/** An id that the database assigns. */
export const Id = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, format: 'int32', examples: [17] })

export const Uuid = Type.String({ format: 'uuid', examples: ['3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'] })

/** Marks what validation converts to a Date. The OpenAPI document omits this keyword. */
export const instantKeyword = 'x-instant'

/** A point in time: a Date in handlers, ISO 8601 in UTC in JSON. Input without an offset is UTC; others are converted. */
export const Instant = Type.Unsafe<Date>({
  type: 'string',
  format: 'date-time',
  examples: ['2026-03-14T09:26:53.000Z'],
  [instantKeyword]: true,
})

/** Marks a property that the contract does not have. The OpenAPI document shows this keyword. */
export const extensionKeyword = 'x-muster-extension'

/** Marks what validation removes from the request. The OpenAPI document omits this keyword. */
export const ignoredKeyword = 'x-ignored'

/**
 * A property that is accepted with any value and removed during validation: handlers and the audit trail must not see a
 * value of unknown shape, size and depth.
 */
export const ignored = (example: unknown, description: string) =>
  Type.Unsafe<unknown>({ examples: [example], description, [ignoredKeyword]: true })

/** One page of a list, in the form that the contract prescribes. */
export function pagedResultOf<S extends TSchema>(item: S) {
  return Type.Object(
    {
      items: Type.Array(item),
      skip: Type.Integer({ format: 'int32', examples: [0], description: 'Number of items before this page' }),
      top: Type.Integer({ format: 'int32', examples: [50], description: 'Page size that was applied' }),
      totalCount: Type.Integer({ format: 'int32', examples: [1], description: 'Number of items on all pages' }),
      hasMore: Type.Boolean({ examples: [false], description: 'Whether more pages follow' }),
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

import { closed, ignoredKeyword, instantKeyword, type Static, type TSchema, Type } from '@muster/schema'
import type { TOptional, TProperties } from '@sinclair/typebox'

export {
  closed,
  enumOf,
  extensionKeyword,
  ignoredKeyword,
  instantKeyword,
  nameKeyword,
  nameText,
  type Static,
  sha256,
  type TSchema,
  Type,
  text,
} from '@muster/schema'

/** Names a schema so that the OpenAPI document lists it as a component. */
export function named<S extends TSchema>(title: string, schema: S): S {
  return { ...schema, title }
}

/** The value or null. One schema instead of `anyOf` so that validation errors name what is wrong with the value. */
export function nullable<S extends TSchema>(schema: S) {
  const values = schema.enum ? { enum: [...schema.enum, null] } : {}
  return Type.Unsafe<Static<S> | null>({ ...schema, ...values, type: [schema.type, 'null'] })
}

/**
 * The body of a PATCH: every property may be missing or null. Both mean "do not change", except where an extension has something
 * that only null can remove: its handler then distinguishes them.
 */
export function patchOf<P extends TProperties>(properties: P, options: { title?: string } = {}) {
  const entries = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(nullable(schema))])
  return closed(
    Object.fromEntries(entries) as { [K in keyof P]: TOptional<ReturnType<typeof nullable<P[K]>>> },
    options,
  )
}

export const Int32 = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, format: 'int32', examples: [42] })

/** An id that the database assigns. */
export const Id = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, format: 'int32', examples: [17] })

export const Uuid = Type.String({ format: 'uuid', examples: ['3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'] })

/** The header `traceparent` of W3C Trace Context. */
export const Traceparent = Type.String({
  maxLength: 55,
  pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$',
  examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  description: 'The trace of the request that has led to it (W3C Trace Context)',
})

/** A point in time: a Date in handlers, ISO 8601 in UTC in JSON. Input without an offset is UTC; others are converted. */
export const Instant = Type.Unsafe<Date>({
  type: 'string',
  format: 'date-time',
  examples: ['2026-03-14T09:26:53.000Z'],
  [instantKeyword]: true,
})

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

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'

export { type Static, type TSchema, Type }

/** An object without additional properties. */
export function closed<P extends TProperties>(
  properties: P,
  options: { title?: string; description?: string; examples?: unknown[] } = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export function enumOf<const V extends readonly string[]>(
  values: V,
  options: { title?: string; description?: string; examples?: unknown[] } = {},
) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
}

/** A text with a length limit. */
export const text = (maxLength: number, example: string, description?: string) =>
  Type.String({ maxLength, examples: [example], ...(description && { description }) })

/** A SHA-256 hash in lower-case hexadecimal digits. */
export const sha256 = (description: string) =>
  Type.String({
    pattern: '^[\\da-f]{64}$',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    description,
  })

/** Marks what the check converts to a Date. The OpenAPI document omits this keyword. */
export const instantKeyword = 'x-instant'

/** Marks a name, which the check brings into its one form before it looks at the length. The OpenAPI document omits this keyword. */
export const nameKeyword = 'x-name'

/** A name that people give. It is stored in the form of `toName` and is never blank. */
export const nameText = (maxLength: number, example: string, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    examples: [example],
    ...(description && { description }),
    [nameKeyword]: true,
  })

/** Marks a property that the contract does not have. The OpenAPI document shows this keyword; the check ignores it. */
export const extensionKeyword = 'x-muster-extension'

/** Marks what the check removes from the input. The OpenAPI document omits this keyword. */
export const ignoredKeyword = 'x-ignored'

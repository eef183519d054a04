import { isDeepStrictEqual } from 'node:util'
import type { ApiDocument, Schema } from './documents.ts'

/** A request must still be accepted as before, and readers of an answer must still understand it. */
export type Direction = 'request' | 'answer'

export type SchemaComparison = {
  direction: Direction
  old: ApiDocument
  new: ApiDocument
  report(sentence: string): void
  /** The named schemas that were compared already, in this direction. */
  compared: Set<string>
}

/** `subject` begins the sentences about what breaks, such as `The request of createGroup`. */
export function compareSchemas(context: SchemaComparison, subject: string, before: Schema, after: Schema): void {
  const name = before.$ref ?? after.$ref
  if (name === undefined) {
    compareInline(context, subject, before, after)
    return
  }
  const isSame = before.$ref === after.$ref
  // A named schema is reported once, and not for each operation that uses it.
  const subjectOfName = isSame ? `${nameOf(name)}, in ${context.direction}s,` : subject
  const key = isSame ? name : `${subject} ${before.$ref} ${after.$ref}`
  if (context.compared.has(key)) return
  context.compared.add(key)
  compareInline(context, subjectOfName, resolve(context.old, before), resolve(context.new, after))
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? reference

function resolve(document: ApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  return document.components.schemas?.[nameOf(schema.$ref)] ?? {}
}

function compareInline(context: SchemaComparison, subject: string, before: Schema, after: Schema): void {
  if (isDeepStrictEqual(before, after) && !hasReference(before)) return
  const [oldVariants, newVariants] = [variantsOf(before), variantsOf(after)]
  if (oldVariants.length > 1 || newVariants.length > 1) {
    compareVariants(context, subject, oldVariants, newVariants)
    return
  }
  compareTypes(context, subject, before, after)
  compareValues(context, subject, before, after)
  compareText(context, subject, before, after)
  if (context.direction === 'request') compareBounds(context, subject, before, after)
  compareProperties(context, subject, before, after)
  compareRest(context, subject, before, after)
}

const hasReference = (schema: Schema): boolean => JSON.stringify(schema).includes('"$ref"')

const variantsOf = (schema: Schema): Schema[] => schema.anyOf ?? schema.oneOf ?? [schema]

function compareVariants(
  context: SchemaComparison,
  subject: string,
  before: readonly Schema[],
  after: readonly Schema[],
): void {
  const { direction, report } = context
  const unmatched = new Set(after)
  const missing: Schema[] = []
  for (const variant of before) {
    const match = findVariant(variant, [...unmatched])
    if (!match) missing.push(variant)
    else {
      unmatched.delete(match)
      compareSchemas(context, subject, variant, match)
    }
  }
  if (direction === 'request')
    for (const variant of missing) report(`${subject} no longer takes the form ${describe(variant)}.`)
  else
    for (const variant of unmatched)
      report(`${subject} can have the form ${describe(variant)}, which readers do not know.`)
}

/** The form that has taken the place of another one: the same name, or else the same types. */
function findVariant(variant: Schema, candidates: readonly Schema[]): Schema | undefined {
  if (variant.$ref !== undefined) return candidates.find(({ $ref }) => $ref === variant.$ref)
  const alike = candidates.filter(({ $ref, type }) => $ref === undefined && isDeepStrictEqual(type, variant.type))
  return alike.find((candidate) => isDeepStrictEqual(candidate, variant)) ?? alike[0]
}

const describe = ({ $ref, type }: Schema): string => ($ref ? nameOf($ref) : [type ?? 'any value'].flat().join(' or '))

function compareTypes({ direction, report }: SchemaComparison, subject: string, before: Schema, after: Schema): void {
  const [oldTypes, newTypes] = [typesOf(before), typesOf(after)]
  if (direction === 'request')
    for (const type of missingIn(newTypes, oldTypes)) report(`${subject} no longer takes ${nounOf(type)}.`)
  else
    for (const type of missingIn(oldTypes, newTypes)) report(`${subject} can be ${nounOf(type)}, and could not before.`)
}

const nouns = new Map([
  ['any', 'any value'],
  ['null', 'null'],
  ['array', 'a list'],
  ['boolean', 'true or false'],
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['object', 'an object'],
  ['string', 'a text'],
])

const nounOf = (type: string): string => nouns.get(type) ?? type

const typesOf = ({ type }: Schema): string[] => (type === undefined ? ['any'] : [type].flat())

function missingIn(container: readonly string[], types: readonly string[]): string[] {
  if (container.includes('any')) return []
  return types.filter((type) => !container.includes(type) && !(type === 'integer' && container.includes('number')))
}

function compareValues({ direction, report }: SchemaComparison, subject: string, before: Schema, after: Schema): void {
  const [oldValues, newValues] = [valuesOf(before), valuesOf(after)]
  const has = (values: readonly unknown[], value: unknown) => values.some((one) => isDeepStrictEqual(one, value))
  if (direction === 'request') {
    if (newValues && !oldValues) report(`${subject} takes only the values ${list(newValues)} now.`)
    for (const value of oldValues ?? [])
      if (newValues && !has(newValues, value)) report(`${subject} no longer takes the value ${JSON.stringify(value)}.`)
  } else {
    if (oldValues && !newValues) report(`${subject} had the values ${list(oldValues)} only, and can have others now.`)
    for (const value of newValues ?? [])
      if (oldValues && !has(oldValues, value))
        report(`${subject} can have the value ${JSON.stringify(value)}, which readers do not know.`)
  }
}

const valuesOf = (schema: Schema): unknown[] | undefined => ('const' in schema ? [schema.const] : schema.enum)

const list = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')

function compareText({ direction, report }: SchemaComparison, subject: string, before: Schema, after: Schema): void {
  if (before.format !== after.format && (direction === 'answer' ? before.format : after.format))
    report(`${subject} has the format ${after.format ?? 'of any text'} instead of ${before.format ?? 'any text'}.`)
  if (direction === 'request' && after.pattern !== undefined && before.pattern !== after.pattern)
    report(`${subject} must match the pattern ${after.pattern}, which differs from before.`)
}

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

function compareBounds({ report }: SchemaComparison, subject: string, before: Schema, after: Schema): void {
  const narrowed = (
    names: readonly string[],
    unlimited: number,
    isNarrower: (before: number, after: number) => boolean,
  ) => names.filter((name) => isNarrower(Number(before[name] ?? unlimited), Number(after[name] ?? unlimited)))
  const names = [
    ...narrowed(lowerBounds, Number.NEGATIVE_INFINITY, (old, now) => now > old && !(now === 0 && old < 0)),
    ...narrowed(upperBounds, Number.POSITIVE_INFINITY, (old, now) => now < old),
  ]
  for (const name of names)
    report(`${subject} has a narrower limit: ${name} is ${after[name]} instead of ${before[name] ?? 'unlimited'}.`)
  if (after.uniqueItems && !before.uniqueItems) report(`${subject} must not contain an item twice any more.`)
}

function compareProperties(context: SchemaComparison, subject: string, before: Schema, after: Schema): void {
  const { direction, report } = context
  const [oldProperties, newProperties] = [before.properties ?? {}, after.properties ?? {}]
  const isRequired = (schema: Schema, name: string) =>
    schema.required?.includes(name) === true && schema.properties?.[name]?.default === undefined
  for (const [name, property] of Object.entries(oldProperties)) {
    const now = newProperties[name]
    if (!now) report(`${subject} no longer has the property ${name}.`)
    else {
      if (direction === 'answer' && isRequired(before, name) && !isRequired(after, name))
        report(`${subject} does not always have the property ${name} any more.`)
      compareSchemas(context, `${subject} property ${name}`, property, now)
    }
  }
  if (direction === 'request')
    for (const name of Object.keys(newProperties))
      if (isRequired(after, name) && !isRequired(before, name)) report(`${subject} requires the property ${name} now.`)
}

/** Items of lists, and properties whose names are not declared. */
function compareRest(context: SchemaComparison, subject: string, before: Schema, after: Schema): void {
  const { direction, report } = context
  if (before.items && after.items) compareSchemas(context, `${subject} item`, before.items, after.items)
  for (const [pattern, schema] of Object.entries(before.patternProperties ?? {})) {
    const now = after.patternProperties?.[pattern]
    if (now) compareSchemas(context, `${subject} properties`, schema, now)
    else report(`${subject} no longer has properties with names like ${pattern}.`)
  }
  const [oldRest, newRest] = [before.additionalProperties, after.additionalProperties]
  if (typeof oldRest === 'object' && typeof newRest === 'object')
    compareSchemas(context, `${subject} properties`, oldRest, newRest)
  const isOpen = (rest: boolean | Schema | undefined, schema: Schema) =>
    typesOf(schema).includes('object') && rest !== false
  if (direction === 'request' && isOpen(oldRest, before) && newRest === false)
    report(`${subject} refuses properties that it does not know now.`)
}

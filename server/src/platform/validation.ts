import { _, Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { invalidRequest } from './general-problems.ts'
import { ignoredKeyword, instantKeyword, type TSchema } from './schema.ts'

export type RequestPart = 'path' | 'query' | 'header' | 'body'

const strictAjv = inputAjv({})
// Paths and query strings carry text only, so text becomes numbers and booleans there, and nowhere else.
const coercingAjv = inputAjv({ coerceTypes: 'array' })

const compiled = new WeakMap<TSchema, ValidateFunction>()

/**
 * Checks a part of the request and turns points in time into Dates. Validators are compiled when first used, which
 * keeps the start of the service short.
 */
export function validate(part: RequestPart, schema: TSchema, value: unknown): void {
  let check = compiled.get(schema)
  if (!check) {
    check = (part === 'body' ? strictAjv : coercingAjv).compile(schema)
    compiled.set(schema, check)
  }
  if (!check(value)) throw invalid(part, deepest(check.errors ?? []))
}

/** Where a value may be of several kinds, the kind that it comes nearest to tells best what is wrong. */
function deepest(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length
  return errors.reduce<ErrorObject | undefined>(
    (best, one) => (best && depth(best) >= depth(one) ? best : one),
    undefined,
  )
}

const longestName = 200

/** Says which property or parameter is wrong, and how. Its name is the client's, so that it may be of any length. */
export function invalidPart(part: RequestPart, fullName: string, reason: string) {
  const name = fullName.length > longestName ? `${fullName.slice(0, longestName).toWellFormed()}…` : fullName
  const where = part === 'body' ? 'body' : `${part} parameter`
  return invalidRequest({
    detail: name ? `${where} '${name}' ${reason}` : `${where} ${reason}`,
    errors: [{ in: part, name, reason }],
  })
}

function invalid(part: RequestPart, error: ErrorObject | undefined) {
  const path = (error?.instancePath ?? '').split('/').slice(1).map(unescapePointer)
  const params: Record<string, unknown> = error?.params ?? {}
  const named = (property: unknown) => [...path, String(property)].join('.')
  switch (error?.keyword) {
    case 'additionalProperties':
      return invalidPart(
        part,
        named(params.additionalProperty),
        part === 'body' ? 'is an unknown property' : 'is unknown',
      )
    case 'required':
      return invalidPart(part, named(params.missingProperty), 'is required')
    case 'enum':
      return invalidPart(
        part,
        path.join('.'),
        `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`,
      )
    default:
      return invalidPart(part, path.join('.'), error?.message ?? 'is invalid')
  }
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

function inputAjv(options: { coerceTypes?: 'array' }): Ajv {
  const ajv = new Ajv({ ...options, strict: true, allowUnionTypes: true, useDefaults: true })
  addFormats.default(ajv, { mode: 'full' })
  ajv.addFormat('date-time', true)
  // Without the prefix urn:uuid:, which PostgreSQL does not read.
  ajv.addFormat('uuid', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i)
  ajv.addKeyword({
    keyword: instantKeyword,
    type: 'string',
    modifying: true,
    errors: false,
    error: { message: 'must be an ISO 8601 date-time' },
    validate: (_schema: true, text: string, _parent: unknown, context?: DataContext) => {
      const instant = parseInstant(text)
      if (instant && context) context.parentData[context.parentDataProperty] = instant
      return instant !== undefined
    },
  })
  // Names are taken in any case; handlers meet them as they are declared.
  ajv.removeKeyword('enum')
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    modifying: true,
    errors: false,
    error: { params: ({ schemaCode }) => _`{ allowedValues: ${schemaCode} }`, message: 'must be one of the names' },
    validate: (names: unknown[], value: unknown, _parent: unknown, context?: DataContext) => {
      const name = declaredName(names, value)
      if (context && name !== undefined) context.parentData[context.parentDataProperty] = name
      return name !== undefined
    },
  })
  ajv.addKeyword({
    keyword: ignoredKeyword,
    modifying: true,
    errors: false,
    validate: (_schema: true, _value: unknown, _parent: unknown, context?: DataContext) => {
      if (context) delete context.parentData[context.parentDataProperty]
      return true
    },
  })
  return ajv
}

function declaredName(names: unknown[], value: unknown): unknown {
  if (typeof value !== 'string') return names.find((name) => name === value)
  const lower = value.toLowerCase()
  return names.find((name) => typeof name === 'string' && name.toLowerCase() === lower)
}

type DataContext = { parentData: Record<string | number, unknown>; parentDataProperty: string | number }

const isDateTime = fullFormats['date-time'] as { validate(text: string): boolean }

/** Without an offset the time is taken as UTC. Years that PostgreSQL or ISO 8601 would write otherwise are refused. */
export function parseInstant(text: string): Date | undefined {
  const zoned = /(z|[+-]\d\d(:?\d\d)?)$/i.test(text) ? text : `${text}Z`
  if (!isDateTime.validate(zoned)) return undefined
  const instant = new Date(zoned.replace(' ', 'T'))
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9999 ? instant : undefined
}

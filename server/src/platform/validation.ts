import { _, Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { invalidRequest } from './general-problems.ts'
import { ignoredKeyword, instantKeyword, type TSchema } from './schema.ts'

export type RequestPart = 'path' | 'query' | 'header' | 'body'

const strictAjv = inputAjv({})
// Paths and query strings consist of text, so only there is text converted to numbers and booleans.
const coercingAjv = inputAjv({ coerceTypes: 'array' })

const compiled = new WeakMap<TSchema, ValidateFunction>()

/**
 * Validates a part of the request and converts it in place, for example points in time to Dates. Validators are compiled
 * on first use, because compiling all of them would delay the start of the service.
 */
export function validate(part: RequestPart, schema: TSchema, value: unknown): void {
  let check = compiled.get(schema)
  if (!check) {
    check = (part === 'body' ? strictAjv : coercingAjv).compile(schema)
    compiled.set(schema, check)
  }
  if (!check(value)) throw toInvalidPart(part, deepestError(check.errors ?? []))
  if (part !== 'body') requireFiniteNumbers(part, value as Record<string, unknown>)
}

/** Converting a text such as `1e400` yields infinity, to which Ajv applies no limits. JSON bodies cannot contain it. */
function requireFiniteNumbers(part: RequestPart, values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values))
    if ([value].flat().some((item) => typeof item === 'number' && !Number.isFinite(item)))
      throw invalidPart(part, name, 'is out of range')
}

/** If a value may match one of several schemas, the error of the schema that it matches best is the most useful. */
function deepestError(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length
  return errors.reduce<ErrorObject | undefined>(
    (best, one) => (best && depth(best) >= depth(one) ? best : one),
    undefined,
  )
}

const maxNameLength = 200

/** The 400 that names the property or parameter and what is wrong with it. The name comes from the client: any length. */
export function invalidPart(part: RequestPart, fullName: string, reason: string) {
  const name = fullName.length > maxNameLength ? `${fullName.slice(0, maxNameLength).toWellFormed()}…` : fullName
  const where = part === 'body' ? 'body' : `${part} parameter`
  return invalidRequest({
    detail: name ? `${where} '${name}' ${reason}` : `${where} ${reason}`,
    errors: [{ in: part, name, reason }],
  })
}

function toInvalidPart(part: RequestPart, error: ErrorObject | undefined) {
  const path = (error?.instancePath ?? '').split('/').slice(1).map(unescapePointer)
  const params: Record<string, unknown> = error?.params ?? {}
  const qualify = (property: unknown) => [...path, String(property)].join('.')
  switch (error?.keyword) {
    case 'additionalProperties':
      return invalidPart(
        part,
        qualify(params.additionalProperty),
        part === 'body' ? 'is an unknown property' : 'is unknown',
      )
    case 'required':
      return invalidPart(part, qualify(params.missingProperty), 'is required')
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
  // Without the prefix urn:uuid:, which PostgreSQL does not accept.
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
  // Enum values are accepted in any letter case; handlers get them as they are declared.
  ajv.removeKeyword('enum')
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    modifying: true,
    errors: false,
    error: {
      params: ({ schemaCode }) => _`{ allowedValues: ${schemaCode} }`,
      message: 'must be one of the allowed values',
    },
    validate: (names: unknown[], value: unknown, _parent: unknown, context?: DataContext) => {
      const name = findDeclaredValue(names, value)
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

function findDeclaredValue(names: unknown[], value: unknown): unknown {
  if (typeof value !== 'string') return names.find((name) => name === value)
  const lower = value.toLowerCase()
  return names.find((name) => typeof name === 'string' && name.toLowerCase() === lower)
}

type DataContext = { parentData: Record<string | number, unknown>; parentDataProperty: string | number }

const isDateTime = fullFormats['date-time'] as { validate(text: string): boolean }

/** Times without an offset are UTC. Years outside 1 to 9999 are refused, because their formats differ. */
export function parseInstant(text: string): Date | undefined {
  const zoned = /(z|[+-]\d\d(:?\d\d)?)$/i.test(text) ? text : `${text}Z`
  if (!isDateTime.validate(zoned)) return undefined
  const instant = new Date(zoned.replace(' ', 'T'))
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9999 ? instant : undefined
}

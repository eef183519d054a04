import { _, Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { parseInstant } from './instant.ts'
import { toName } from './name.ts'
import { extensionKeyword, ignoredKeyword, instantKeyword, nameKeyword, type TSchema } from './schema.ts'

/** Parameters of a URL consist of text, so only there is text converted to numbers and booleans. */
export type InputForm = 'json' | 'parameters'

/** The property that is wrong, with dots between its levels, and why, as the end of a sentence about it. */
export type SchemaFault = { name: string; reason: string }

const validators = { json: inputAjv({}), parameters: inputAjv({ coerceTypes: 'array' }) }

const compiled = new WeakMap<TSchema, ValidateFunction>()

/**
 * Checks a value against a schema and converts it in place, for example points in time to Dates. Returns what is wrong with
 * it, or undefined. Schemas are compiled on first use, because compiling all of them would delay the start of the service.
 */
export function findFault(schema: TSchema, value: unknown, form: InputForm): SchemaFault | undefined {
  let check = compiled.get(schema)
  if (!check) {
    check = validators[form].compile(schema)
    compiled.set(schema, check)
  }
  return check(value) ? undefined : toFault(form, deepestError(check.errors ?? []))
}

/** If a value may match one of several schemas, the error of the schema that it matches best is the most useful. */
function deepestError(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length
  return errors.reduce<ErrorObject | undefined>(
    (best, one) => (best && depth(best) >= depth(one) ? best : one),
    undefined,
  )
}

function toFault(form: InputForm, error: ErrorObject | undefined): SchemaFault {
  const path = (error?.instancePath ?? '').split('/').slice(1).map(unescapePointer)
  const params: Record<string, unknown> = error?.params ?? {}
  const qualify = (property: unknown) => [...path, String(property)].join('.')
  switch (error?.keyword) {
    case 'additionalProperties':
      return {
        name: qualify(params.additionalProperty),
        reason: form === 'json' ? 'is an unknown property' : 'is unknown',
      }
    case 'required':
      return { name: qualify(params.missingProperty), reason: 'is required' }
    case 'enum':
      return {
        name: path.join('.'),
        reason: `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`,
      }
    default:
      return { name: path.join('.'), reason: error?.message ?? 'is invalid' }
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
  ajv.addKeyword(extensionKeyword)
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
  ajv.addKeyword({
    keyword: nameKeyword,
    type: 'string',
    // Length and pattern are those of the name in its one form.
    before: 'maxLength',
    modifying: true,
    errors: false,
    validate: (_schema: true, text: string, _parent: unknown, context?: DataContext) => {
      if (context) context.parentData[context.parentDataProperty] = toName(text)
      return true
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

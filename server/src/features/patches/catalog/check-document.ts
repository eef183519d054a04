import { _, Ajv, type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { DocumentFault } from './patch-document.ts'

const ajv = new Ajv({ strict: true, allowUnionTypes: true })
addFormats.default(ajv, { mode: 'full' })
// The keyword minLength counts the characters of a text, and uniqueItems makes each text a property of an object.
// Both take too long for advisories, which consist of long lists of short texts.
ajv.addKeyword({
  keyword: 'isFilled',
  type: 'string',
  schemaType: 'boolean',
  code: (context) => context.fail(_`${context.data} === ""`),
  error: { message: 'must not be empty' },
})
ajv.addKeyword({
  keyword: 'hasUniqueTexts',
  type: 'array',
  schemaType: 'boolean',
  code: (context) => context.fail(_`new Set(${context.data}).size < ${context.data}.length`),
  error: { message: 'must not contain duplicates' },
})
const compiled = new WeakMap<object, ValidateFunction>()

/** Throws a fault that names the first place where the content does not match the schema. */
export function checkDocument(schema: AnySchema & object, content: unknown): void {
  let check = compiled.get(schema)
  if (!check) {
    check = ajv.compile(schema)
    compiled.set(schema, check)
  }
  if (!check(content)) throw new DocumentFault(formatReason(check.errors?.[0]))
}

function formatReason(error: ErrorObject | undefined): string {
  const path = (error?.instancePath ?? '').split('/').slice(1)
  const params: Record<string, unknown> = error?.params ?? {}
  if (error?.keyword === 'required') return `${[...path, params.missingProperty].join('.')} is required`
  if (error?.keyword === 'additionalProperties')
    return `${[...path, params.additionalProperty].join('.')} is an unknown property`
  if (error?.keyword === 'enum')
    return `${path.join('.')} must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`
  return `${path.join('.') || 'the document'} ${error?.message ?? 'is invalid'}`
}

import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { instantKeyword, type TSchema } from '../../src/platform/schema.ts'

const ajv = new Ajv({ allowUnionTypes: true, allErrors: true })
addFormats.default(ajv)
ajv.addKeyword(instantKeyword)

const compiled = new Map<TSchema, ValidateFunction>()

/** Throws unless the operation declares an answer with this status and body. */
export function requireDeclaredAnswer(operation: AnyOperation, status: number, body: unknown): void {
  const schema: TSchema | null | undefined = operation.returns[status]
  if (schema === undefined) throw new Error(`${operation.id} answered ${status}, which it does not declare.`)
  if (schema === null) {
    if (body !== undefined) throw new Error(`${operation.id} answered ${status} with a body, but declares none.`)
    return
  }
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  if (!validate(body))
    throw new Error(`The answer of ${operation.id} does not match its schema: ${ajv.errorsText(validate.errors)}`)
}

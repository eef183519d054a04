import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { afterEach } from 'vitest'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { requiredRoleHeader } from '../../src/platform/pipeline/withhold-answer.ts'
import { extensionKeyword, instantKeyword, nameKeyword, type TSchema } from '../../src/platform/schema.ts'

// Most validators run a few times, so optimising them would take longer than it saves.
const ajv = new Ajv({ allowUnionTypes: true, allErrors: true, code: { optimize: false } })
addFormats.default(ajv)
ajv.addKeyword(instantKeyword)
ajv.addKeyword(nameKeyword)
ajv.addKeyword(extensionKeyword)

const compiled = new Map<TSchema, ValidateFunction>()

/** Throws unless the operation declares an answer with this status and body. */
export function requireDeclaredAnswer(
  operation: AnyOperation,
  status: number,
  body: unknown,
  headers: Record<string, unknown> = {},
): void {
  const schema: TSchema | null | undefined = operation.returns[status]
  if (schema === undefined) throw new Error(`${operation.id} answered ${status}, which it does not declare.`)
  if (schema === null || requiredRoleHeader in headers) {
    if (body !== undefined) throw new Error(`${operation.id} answered ${status} with a body, but declares none.`)
    return
  }
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  if (!validate(body))
    throw new Error(`The answer of ${operation.id} does not match its schema: ${ajv.errorsText(validate.errors)}`)
}

/**
 * Fails the current test when an operation of any channel answers with something that it does not declare, even to
 * simulated computers and depots. A 500 counts too: the serialiser answers so when it cannot format a value.
 */
export function checkEveryAnswer(http: FastifyInstance): void {
  const violations: unknown[] = []
  http.addHook('onSend', async (request, reply, payload) => {
    const { operation } = request.routeOptions.config
    if (!operation || request.method === 'HEAD') return
    try {
      checkAnswer(operation, reply, payload)
    } catch (violation) {
      violations.push(violation)
    }
  })
  afterEach(() => {
    const [first] = violations.splice(0)
    if (first) throw first
  })
}

function checkAnswer(operation: AnyOperation, reply: FastifyReply, payload: unknown): void {
  const { statusCode: status } = reply
  if (status === 500) throw new Error(`${operation.id} answered 500: ${payload}`)
  const isFile = operation.answerType !== undefined
  if (status >= 300 || isFile) return
  const text = payload === undefined || payload === null ? '' : String(payload)
  requireDeclaredAnswer(operation, status, text === '' ? undefined : JSON.parse(text), reply.getHeaders())
}

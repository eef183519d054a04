import type { FastifyRequest } from 'fastify'
import { unsupportedApiVersion, unsupportedMediaType } from './general-problems.ts'
import type { AnyOperation } from './operation.ts'
import { closed, type TSchema, Type } from './schema.ts'
import { invalidPart, validate } from './validation.ts'

export const DryRun = Type.Boolean({
  description: 'Do everything but keep nothing: the answer is the one that the request would get.',
  examples: [false],
})

const supportedVersions = ['1', '1.0']
const querySchemas = new WeakMap<AnyOperation, TSchema>()

/** Validates path, query and body in place; throws the 400 that names what is wrong. */
export function checkRequest(operation: AnyOperation, request: FastifyRequest): void {
  const query = request.query as Record<string, unknown>
  checkApiVersion(request.headers['api-version'] ?? query['api-version'])
  delete query['api-version']
  refuseNul(request)
  validate('path', operation.params, request.params)
  validate('query', querySchema(operation), query)
  if (operation.body) checkBody(operation, request)
}

function checkBody({ body: schema, bodyType, bodyOptional }: AnyOperation, { body, headers }: FastifyRequest): void {
  if (body === undefined) {
    if (bodyOptional) return
    throw invalidPart('body', '', 'is required')
  }
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== (bodyType ?? 'application/json'))
    throw unsupportedMediaType({ expected: bodyType ?? 'application/json' })
  // Forms follow a standard of their own, also in what they answer to mistakes: their operations check them.
  if (!bodyType) validate('body', schema, body)
}

function checkApiVersion(version: unknown): void {
  if (version !== undefined && !supportedVersions.includes(String(version)))
    throw unsupportedApiVersion({ supported: supportedVersions })
}

// PostgreSQL stores no NUL character; in an address it can only stand in this form.
function refuseNul(request: FastifyRequest): void {
  if (request.url.includes('%00')) throw invalidPart('path', '', 'or query has a character that cannot be stored')
}

/** What the operation declares, and what the frame adds to every change. */
export function querySchema(operation: AnyOperation): TSchema {
  let schema = querySchemas.get(operation)
  if (!schema) {
    schema = operation.mutates
      ? closed({ ...operation.query.properties, dryRun: Type.Optional(DryRun) })
      : (operation.query as TSchema)
    querySchemas.set(operation, schema)
  }
  return schema
}

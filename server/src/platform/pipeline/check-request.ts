import type { FastifyRequest } from 'fastify'
import { unsupportedApiVersion, unsupportedMediaType } from '../general-problems.ts'
import { type AnyOperation, takesDryRun } from '../operation.ts'
import { closed, type TSchema, Type } from '../schema.ts'
import { invalidPart, validate } from '../validation.ts'
import { expectedCountParameters } from './expected-count.ts'

const DryRun = Type.Boolean({
  description:
    'Make the change, answer as usual and roll everything back. Nothing is stored. An answer that shows a resource has no body ' +
    'for callers who may not read it. Where the change affects computers, the ' +
    'headers Muster-Affected-Computers and Muster-Away-Computers have their number and that of those not seen for a week.',
  examples: [false],
})

const supportedVersions = ['1', '1.0']
const querySchemas = new WeakMap<AnyOperation, TSchema>()

/** Validates path, query and body and converts them in place. Throws a 400 that names what is wrong. */
export function checkRequest(operation: AnyOperation, request: FastifyRequest): void {
  const query = request.query as Record<string, unknown>
  checkApiVersion(request.headers['api-version'] ?? query['api-version'])
  delete query['api-version']
  refuseNul(request)
  validate('path', operation.params, request.params)
  const schema = querySchema(operation)
  unifySpelling(schema, query)
  validate('query', schema, query)
  const fromHeaders = request.body === undefined ? operation.bodyFromHeaders?.(request.headers) : undefined
  if (fromHeaders !== undefined) checkBodyFromHeaders(operation, request, fromHeaders)
  else if (operation.body) checkBody(operation, request)
  // A body without a schema has not been validated, so handlers must not see it.
  else request.body = undefined
}

function checkBody({ body: schema, bodyType, bodyOptional }: AnyOperation, { body, headers }: FastifyRequest): void {
  if (body === undefined) {
    if (bodyOptional) return
    throw invalidPart('body', '', 'is required')
  }
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== (bodyType ?? 'application/json'))
    throw unsupportedMediaType({ expected: bodyType ?? 'application/json' })
  // Operations validate forms themselves, because RFC 6749 prescribes other errors for them.
  if (!bodyType) validate('body', schema, body)
}

/** As a body, because the audit trail and the Idempotency-Key cover that. */
function checkBodyFromHeaders({ body: schema }: AnyOperation, request: FastifyRequest, value: unknown): void {
  validate('body', schema, value)
  request.body = value
}

function checkApiVersion(version: unknown): void {
  if (version !== undefined && !supportedVersions.includes(String(version)))
    throw unsupportedApiVersion({ supported: supportedVersions })
}

/** PostgreSQL cannot store NUL characters. In a URL they can only appear in encoded form. */
function refuseNul(request: FastifyRequest): void {
  if (request.url.includes('%00')) throw invalidPart('path', '', 'or query contains a character that cannot be stored')
}

type DeclaredParameter = { name: string; isBoolean: boolean }

const declaredParameters = new WeakMap<TSchema, Map<string, DeclaredParameter>>()

/** Clients spell names and booleans as their languages do: `Top=10`, `force=True`. */
function unifySpelling(schema: TSchema, query: Record<string, unknown>): void {
  const declared = parametersOf(schema)
  for (const [sent, value] of Object.entries(query)) {
    const { name, isBoolean } = declared.get(sent.toLowerCase()) ?? { name: sent, isBoolean: false }
    if (name !== sent) {
      if (name in query) throw invalidPart('query', sent, `is ${name} once more`)
      delete query[sent]
    }
    query[name] = isBoolean && typeof value === 'string' ? value.toLowerCase() : value
  }
}

function parametersOf(schema: TSchema): Map<string, DeclaredParameter> {
  let declared = declaredParameters.get(schema)
  if (!declared) {
    const properties = Object.entries(schema.properties as Record<string, TSchema>)
    declared = new Map(
      properties.map(([name, { type }]) => [name.toLowerCase(), { name, isBoolean: type === 'boolean' }]),
    )
    declaredParameters.set(schema, declared)
  }
  return declared
}

/** The query parameters that the operation declares, what a mass action may expect, and `dryRun` for changes of principals. */
export function querySchema(operation: AnyOperation): TSchema {
  let schema = querySchemas.get(operation)
  if (!schema) {
    schema = takesDryRun(operation)
      ? closed({
          ...operation.query.properties,
          ...(operation.massAction && expectedCountParameters),
          dryRun: Type.Optional(DryRun),
        })
      : (operation.query as TSchema)
    querySchemas.set(operation, schema)
  }
  return schema
}

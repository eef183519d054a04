import { STATUS_CODES } from 'node:http'
import { type AnyOperation, fileType, takesIdempotencyKey } from '../operation.ts'
import { querySchema } from '../pipeline/check-request.ts'
import { expectedCountParameters } from '../pipeline/expected-count.ts'
import { shownRead } from '../pipeline/withhold-answer.ts'
import type { ProblemKind } from '../problem.ts'
import { isRole } from '../roles.ts'
import { extensionKeyword, type TSchema } from '../schema.ts'
import type { DocumentedChannel } from './channel.ts'
import type { Components, OpenApiObject } from './components.ts'
import { describeDeprecation } from './deprecation.ts'
import { exampleOf } from './example.ts'
import { problemsOf } from './implied-problems.ts'
import { ProblemDetails, problemExample, Rfc6749Error } from './problem-schema.ts'

export type DescriptionContext = {
  channel: DocumentedChannel
  components: Components
  versionedReads: ReadonlySet<AnyOperation>
}

/** The path in the notation of OpenAPI. */
export function documentPath(operation: AnyOperation): string {
  return operation.path.replace(/:(\w+)/g, '{$1}')
}

export function describeOperation(operation: AnyOperation, tag: string, context: DescriptionContext): OpenApiObject {
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...describeText(operation),
    ...(operation.deprecated && { deprecated: true }),
    ...(operation.deprecated?.sunset && { 'x-sunset': operation.deprecated.sunset }),
    tags: [tag],
    ...(isRole(operation.role) && { 'x-required-role': operation.role }),
    ...(operation.readerRole && { 'x-reader-role': operation.readerRole }),
    ...(operation.alsoRequires && { 'x-also-required-roles': [...operation.alsoRequires] }),
    ...(operation.extension && { [extensionKeyword]: true }),
    security: context.channel.security(operation),
    parameters: parameters(operation, context),
    ...(operation.body && { requestBody: requestBody(operation, operation.body, context) }),
    responses: { ...successResponses(operation, context), ...problemResponses(operation, context) },
  }
}

function describeText({ description, deprecated }: AnyOperation): OpenApiObject {
  const sentences = [description, deprecated && describeDeprecation(deprecated)].filter((text) => text !== undefined)
  return sentences.length > 0 ? { description: sentences.join('\n\n') } : {}
}

function parameters(operation: AnyOperation, { components, versionedReads }: DescriptionContext): OpenApiObject[] {
  const shared = (name: string) => ({ $ref: `#/components/parameters/${name}` })
  return [
    ...schemaParameters('path', operation.params, components),
    ...schemaParameters('query', querySchema(operation), components),
    ...(operation.headers ? schemaParameters('header', operation.headers, components) : []),
    shared('ApiVersion'),
    ...(takesIdempotencyKey(operation) ? [shared('IdempotencyKey')] : []),
    ...(operation.changes ? [shared('IfMatch')] : []),
    ...(answersNotModified(operation, versionedReads) ? [shared('IfNoneMatch')] : []),
    ...(operation.answerType === fileType ? [shared('Range'), shared('IfRange')] : []),
  ]
}

function schemaParameters(
  location: 'path' | 'query' | 'header',
  schema: TSchema,
  components: Components,
): OpenApiObject[] {
  return Object.entries<TSchema>(schema.properties).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: location,
      required: location === 'path' || (schema.required?.includes(name) && property.default === undefined) || false,
      ...(description && { description }),
      ...(name in expectedCountParameters && { [extensionKeyword]: true }),
      schema: components.reference(rest as TSchema),
    }
  })
}

function requestBody(operation: AnyOperation, schema: TSchema, { components }: DescriptionContext): OpenApiObject {
  return {
    required: !operation.bodyOptional,
    content: {
      [operation.bodyType ?? 'application/json']: { schema: components.reference(schema), example: exampleOf(schema) },
    },
  }
}

function successResponses(operation: AnyOperation, context: DescriptionContext): OpenApiObject {
  const { components, versionedReads } = context
  const responses = Object.entries<TSchema | null>(operation.returns).map(([status, schema]) => [
    status,
    {
      description: `${STATUS_CODES[Number(status)]}${schema ? describeWithheld(operation) : ''}`,
      ...answerHeaders(operation, Number(status), versionedReads),
      ...(schema && {
        content: {
          [operation.answerType?.split(';')[0] ?? 'application/json']: {
            schema: components.reference(schema),
            example: exampleOf(schema),
          },
        },
      }),
    },
  ])
  return { ...Object.fromEntries(responses), ...notModifiedResponse(operation, versionedReads) }
}

/** Who may make a change may not always read what it shows. */
function describeWithheld(operation: AnyOperation): string {
  const read = shownRead(operation)
  if (!read || read.role === operation.role || !isRole(read.role)) return ''
  const where = operation.extension ? '' : ' in a dry run'
  return `. Without the role ${read.role}, the answer has no ETag, and no body${where}.`
}

/** An ETag that leaves properties out cannot prove that the client's copy is current. */
function answersNotModified(operation: AnyOperation, versionedReads: ReadonlySet<AnyOperation>): boolean {
  return versionedReads.has(operation) && !operation.unversioned
}

function notModifiedResponse(operation: AnyOperation, versionedReads: ReadonlySet<AnyOperation>): OpenApiObject {
  if (!answersNotModified(operation, versionedReads)) return {}
  const description = 'The resource still has the ETag that If-None-Match names.'
  return { 304: { description, ...answerHeaders(operation, 304, versionedReads) } }
}

function answerHeaders(
  operation: AnyOperation,
  status: number,
  versionedReads: ReadonlySet<AnyOperation>,
): OpenApiObject {
  const isFile = operation.answerType === fileType
  const names = [
    ...(versionedReads.has(operation) || isFile ? ['ETag'] : []),
    ...('cursor' in operation.query.properties ? ['Link'] : []),
    ...(operation.rateLimit ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...(operation.deprecated ? ['Deprecation'] : []),
    ...(operation.deprecated?.sunset ? ['Sunset'] : []),
    ...(isFile ? ['Accept-Ranges'] : []),
    ...(status === 206 ? ['Content-Range'] : []),
    ...(status === 503 ? ['Retry-After'] : []),
  ]
  return names.length > 0 ? { headers: referenceHeaders(names) } : {}
}

function referenceHeaders(names: readonly string[]): OpenApiObject {
  const reference = (name: string) => ({ $ref: `#/components/headers/${name.replace('-', '')}` })
  return Object.fromEntries(names.map((name) => [name, reference(name)]))
}

function problemResponses(operation: AnyOperation, { components }: DescriptionContext): OpenApiObject {
  const byStatus = Map.groupBy(problemsOf(operation), ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => [
      status,
      {
        description: kinds.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
        ...problemHeaders(operation, kinds),
        'x-problem-codes': kinds.map(({ code }) => code),
        content: problemContent(kinds, documentPath(operation), components),
      },
    ]),
  )
}

function problemHeaders({ rateLimit }: AnyOperation, kinds: ProblemKind[]): OpenApiObject {
  if (!kinds.some(hasRetryAfter)) return {}
  const isLimit = rateLimit && kinds.some(({ status }) => status === 429)
  return { headers: referenceHeaders(['Retry-After', ...(isLimit ? ['RateLimit', 'RateLimit-Policy'] : [])]) }
}

function hasRetryAfter({ status }: ProblemKind): boolean {
  return status === 429 || status === 503
}

function problemContent(kinds: ProblemKind[], path: string, components: Components): OpenApiObject {
  const content = (type: string, schema: TSchema, some: ProblemKind[]) =>
    some.length > 0 && {
      [type]: {
        schema: components.reference(schema),
        examples: Object.fromEntries(some.map((kind) => [kind.code, { value: problemExample(kind, path) }])),
      },
    }
  return {
    ...content(
      'application/problem+json',
      ProblemDetails,
      kinds.filter(({ body }) => !body),
    ),
    ...content(
      'application/json',
      Rfc6749Error,
      kinds.filter((kind) => kind.body && problemExample(kind, path) !== undefined),
    ),
  }
}

import type { AnyOperation } from '../operation.ts'
import type { DocumentedChannel } from './channel.ts'
import { Components, type OpenApiObject } from './components.ts'
import { describeOperation, documentPath } from './describe-operation.ts'

/** Builds the OpenAPI document of a channel from the declarations of its operations alone. */
export function openApiDocument(channel: DocumentedChannel): OpenApiObject {
  const { sections, title, summary, introduction, securitySchemes } = channel
  const components = new Components()
  const operations = sections.flatMap((section) => section.operations)
  const versionedReads = new Set<AnyOperation>(operations.flatMap(({ changes }) => changes ?? []))
  const paths: Record<string, OpenApiObject> = {}
  for (const section of sections)
    for (const operation of section.operations) {
      const path = documentPath(operation)
      const description = describeOperation(operation, section.name, { channel, components, versionedReads })
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: description }
    }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      summary,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: sections.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      parameters: selectReferenced(paths, 'parameters', sharedParameters),
      headers: selectReferenced(paths, 'headers', sharedHeaders),
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

const header = (name: string, description: string, schema: OpenApiObject) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
})

const sharedParameters = {
  ApiVersion: header('api-version', 'Version of the API.', { type: 'string', enum: ['1', '1.0'], default: '1' }),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes retries safe: for 24 hours, a request with the same key gets the answer to the first one and changes nothing.',
    { type: 'string', minLength: 1, maxLength: 255, examples: ['c0a8b7e2-9d5b-4b7e-8f6e-2b1a0c9d8e7f'] },
  ),
  IfMatch: header('If-Match', 'Make the change only if the resource has this ETag.', {
    type: 'string',
    examples: ['"lGq0eYt0wOSo1Cyp5uNnrA"'],
  }),
  IfNoneMatch: header('If-None-Match', 'Answer 304 without a body if the resource has this ETag.', {
    type: 'string',
    examples: ['"lGq0eYt0wOSo1Cyp5uNnrA"'],
  }),
  Range: header('Range', 'One range of bytes. Without this header, the whole file is sent.', {
    type: 'string',
    examples: ['bytes=1048576-'],
  }),
  IfRange: header('If-Range', 'Send the range only if the file has this ETag, otherwise the whole file.', {
    type: 'string',
    examples: ['"lGq0eYt0wOSo1Cyp5uNnrA"'],
  }),
}

const sharedHeaders = {
  Link: {
    description: 'The URL of the next page, with a cursor. Missing on the last page.',
    schema: { type: 'string' },
  },
  ETag: { description: 'Version of the resource, for If-Match and If-None-Match.', schema: { type: 'string' } },
  AcceptRanges: { description: 'Ranges of the file can be requested.', schema: { type: 'string', enum: ['bytes'] } },
  ContentRange: {
    description: 'The range of bytes in this answer, and the size of the file.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'The requests that are left (`r`), and the seconds until there are more (`t`).',
    schema: { type: 'string', examples: ['"token";r=59;t=60'] },
  },
  RateLimitPolicy: {
    description: 'The requests (`q`) in a number of seconds (`w`) that each address, or each client at it, may make.',
    schema: { type: 'string', examples: ['"token";q=60;w=60'] },
  },
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745). `Link` names the path to call instead.',
    schema: { type: 'string', examples: ['@1795046400'] },
  },
  Sunset: {
    description: 'When the operation may be removed (RFC 8594).',
    schema: { type: 'string', examples: ['Sat, 01 May 2027 00:00:00 GMT'] },
  },
  RetryAfter: { description: 'Number of seconds to wait before the next request.', schema: { type: 'integer' } },
}

/** The shared components that at least one operation refers to. */
function selectReferenced(paths: OpenApiObject, kind: string, parts: Record<string, OpenApiObject>): OpenApiObject {
  const text = JSON.stringify(paths)
  return Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
}

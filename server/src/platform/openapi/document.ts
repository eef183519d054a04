import type { AnyOperation } from '../operation.ts'
import type { Channel } from './channel.ts'
import { Components, type JsonObject } from './components.ts'
import { describeOperation, documentPath } from './describe-operation.ts'

/** The OpenAPI document of a channel: nothing stands in it but what the declarations say. */
export function openApiDocument(channel: Channel): JsonObject {
  const { sections, title, summary, introduction, securitySchemes } = channel
  const components = new Components()
  const operations = sections.flatMap((section) => section.operations)
  const versionedReads = new Set<AnyOperation>(operations.flatMap(({ changes }) => changes ?? []))
  const paths: Record<string, JsonObject> = {}
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
      parameters: used(paths, 'parameters', sharedParameters),
      headers: used(paths, 'headers', sharedHeaders),
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

const header = (name: string, description: string, schema: JsonObject) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
})

const sharedParameters = {
  ApiVersion: header('api-version', 'Version of the interface.', { type: 'string', enum: ['1', '1.0'], default: '1' }),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes a repetition safe: for 24 hours, a request under the same key is answered with the first answer.',
    { type: 'string', minLength: 1, maxLength: 255, examples: ['c0a8b7e2-9d5b-4b7e-8f6e-2b1a0c9d8e7f'] },
  ),
  IfMatch: header('If-Match', 'The change is made only while the resource has this ETag.', {
    type: 'string',
    examples: ['"lGq0eYt0wOSo1Cyp5uNnrA"'],
  }),
  IfNoneMatch: header('If-None-Match', 'The resource is not sent again while it has this ETag.', {
    type: 'string',
    examples: ['"lGq0eYt0wOSo1Cyp5uNnrA"'],
  }),
  Range: header('Range', 'One range of bytes. Without it, the whole file is sent.', {
    type: 'string',
    examples: ['bytes=1048576-'],
  }),
  IfRange: header('If-Range', 'The range is sent only while the file has this ETag, otherwise all of it.', {
    type: 'string',
    examples: ['"lGq0eYt0wOSo1Cyp5uNnrA"'],
  }),
}

const sharedHeaders = {
  Link: { description: 'Leads to the next page by a cursor, where there is one.', schema: { type: 'string' } },
  ETag: { description: 'Version of the resource, for If-Match.', schema: { type: 'string' } },
  AcceptRanges: { description: 'The file can be had in ranges.', schema: { type: 'string', enum: ['bytes'] } },
  ContentRange: { description: 'Which bytes are sent, and of how many.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
}

/** Those of the shared parts that some operation refers to. */
function used(paths: JsonObject, kind: string, parts: Record<string, JsonObject>): JsonObject {
  const text = JSON.stringify(paths)
  return Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
}

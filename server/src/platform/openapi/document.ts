import type { AnyOperation, Area } from '../operation.ts'
import { roles } from '../roles.ts'
import { Components, type JsonObject } from './components.ts'
import { describeOperation, documentPath } from './describe-operation.ts'

/** The OpenAPI document of the areas: nothing stands in it but what the declarations say. */
export function openApiDocument(areas: readonly Area[]): JsonObject {
  const components = new Components()
  const operations = areas.flatMap((area) => area.operations)
  const versionedReads = new Set<AnyOperation>(operations.flatMap(({ changes }) => changes ?? []))
  const paths: Record<string, JsonObject> = {}
  for (const area of areas)
    for (const operation of area.operations) {
      const path = documentPath(operation)
      const description = describeOperation(operation, area.name, { components, versionedReads })
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: description }
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version: '1.0.0',
      summary: 'Endpoint management over a fleet of computers',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: areas.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      parameters: used(paths, 'parameters', sharedParameters),
      headers: used(paths, 'headers', sharedHeaders),
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

const introduction = [
  'Every request needs an access token, except where an operation says otherwise. `x-required-role` names the role that',
  'its principal must have; no role includes another.',
  'Errors are problems after RFC 9457 with a `code` for programs and a `message` for people.',
  'Every change can be tried with `dryRun=true`.',
].join('\n')

const securitySchemes = {
  clientCredentials: {
    type: 'oauth2',
    description: 'Client id and secret of a local principal. The scopes are the roles of the principal.',
    flows: { clientCredentials: { tokenUrl: '/api/auth/token', scopes: roles } },
  },
  bearerToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token.' },
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
}

const sharedHeaders = {
  Link: { description: 'Leads to the next page by a cursor, where there is one.', schema: { type: 'string' } },
  ETag: { description: 'Version of the resource, for If-Match.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
}

/** Those of the shared parts that some operation refers to. */
function used(paths: JsonObject, kind: string, parts: Record<string, JsonObject>): JsonObject {
  const text = JSON.stringify(paths)
  return Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
}

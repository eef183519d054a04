import { join } from 'node:path'
import openapiTypeScript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { sections } from '../../server/src/features/index.ts'
import { apiChannel } from '../../server/src/platform/openapi/channel.ts'
import { openApiDocument } from '../../server/src/platform/openapi/document.ts'

export const typesFile = join(import.meta.dirname, '../src/api/types.ts')

type Described = { responses?: Record<string, { headers?: unknown }> }

/** Leaves out what no page reads: headers, and failures, which the client throws as problems. They are most of it. */
function withoutFailures(document: object): OpenAPI3 {
  const { paths, ...rest } = structuredClone(document) as { paths: Record<string, Record<string, Described>> }
  for (const { responses = {} } of Object.values(paths).flatMap(Object.values<Described>))
    for (const [status, response] of Object.entries(responses)) {
      delete response.headers
      if (!status.startsWith('2')) delete responses[status]
    }
  return { ...rest, paths } as unknown as OpenAPI3
}

/** Generates the types of the API from its OpenAPI document. */
export async function apiTypes(): Promise<string> {
  const document = withoutFailures(openApiDocument(apiChannel(sections)))
  const nodes = await openapiTypeScript(document, { silent: true })
  return `// Generated from the declarations of the API by \`npm run console:types\`; do not edit.\n${astToString(nodes)}`
}

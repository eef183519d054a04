import { join } from 'node:path'
import openapiTypeScript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { sections } from '../../server/src/features/index.ts'
import { apiChannel } from '../../server/src/platform/openapi/channel.ts'
import { openApiDocument } from '../../server/src/platform/openapi/document.ts'

export const typesFile = join(import.meta.dirname, '../src/api/types.ts')

/** The paths that the console calls. Types of the whole API would be many times as long. */
const called =
  /^\/(api\/(admin\/|audit$|enrolment-tokens|quarantined-agents|system$|group$|blast-radius$|freeze$|approvals)|health\/ready$)/

/** Generates types for the part of the API that the console uses, from the OpenAPI document. */
export async function apiTypes(): Promise<string> {
  const calledSections = sections.map((section) => ({
    ...section,
    operations: section.operations.filter(({ path }) => called.test(path)),
  }))
  const document = openApiDocument(apiChannel(calledSections.filter(({ operations }) => operations.length > 0)))
  const nodes = await openapiTypeScript(document as unknown as OpenAPI3, { silent: true })
  return `// Generated from the declarations of the API by \`npm run console:types\`; do not edit.\n${astToString(nodes)}`
}

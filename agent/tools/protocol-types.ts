import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypeScript, { astToString, type OpenAPI3 } from 'openapi-typescript'

export const typesFile = join(import.meta.dirname, '../src/protocol-types.ts')

const document = join(import.meta.dirname, '../../docs/reference/agent-v1.json')

/** Generates the types of the agent channel from its OpenAPI document. */
export async function protocolTypes(): Promise<string> {
  const description = JSON.parse(await readFile(document, 'utf8')) as OpenAPI3
  const schemas = { ...description.components?.schemas }
  const nodes = await openapiTypeScript({ ...description, paths: {}, components: { schemas } }, { silent: true })
  return `// Generated from docs/reference/agent-v1.json by \`npm run agent:types\`; do not edit.\n${astToString(nodes)}`
}

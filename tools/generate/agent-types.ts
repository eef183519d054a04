import type { OpenAPI3 } from 'openapi-typescript'
import { agentChannel } from '../../server/src/channels/agent/index.ts'
import { openApiDocument } from '../../server/src/platform/openapi/document.ts'
import { typesOf } from './types-of.ts'

/** Generates the types of the messages of the agent channel. */
export function agentTypes(path: string): Promise<string> {
  const { components, ...description } = openApiDocument(agentChannel) as unknown as OpenAPI3
  return typesOf({ ...description, paths: {}, components: { schemas: { ...components?.schemas } } }, path)
}

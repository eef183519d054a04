import type { components, MusterClient } from '@muster/client'
import { chooseOne, ifSimilar, isSameName, searchList } from './choose.ts'

export type AgentTemplate = components['schemas']['AgentTemplate']

export const formatTemplate = ({ name, version }: Pick<AgentTemplate, 'name' | 'version'>): string =>
  version ? `${name}@${version}` : name

/** Finds an agent template by its name, or by `name@version` if there are several. */
export async function findAgentTemplate(client: MusterClient, name: string): Promise<AgentTemplate> {
  const { found, similar } = await searchList(
    client.pages('/api/agent-templates', { query: { top: 1_000 } }),
    (one) => isSameName(one.name, name) || isSameName(formatTemplate(one), name) || one.id === name,
    (one) => ifSimilar(name, one.name),
  )
  return chooseOne(
    found,
    'agent template',
    name,
    (one) => `${formatTemplate(one)}  (${one.id})`,
    () => similar,
  )
}

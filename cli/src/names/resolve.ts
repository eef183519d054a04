import type { MusterClient } from '@muster/client'
import { findAgentTemplate } from './agent-templates.ts'
import { findComputer } from './computers.ts'
import { findGroup } from './groups.ts'
import { findPackage } from './packages.ts'
import { findPrincipal } from './principals.ts'
import { findRollout } from './rollouts.ts'
import { findTag } from './tags.ts'
import { findWebhook } from './webhooks.ts'

const kinds: Record<string, (client: MusterClient, name: string) => Promise<{ id: number | string }>> = {
  computer: findComputer,
  group: findGroup,
  package: findPackage,
  rollout: async (client, name) => ({ id: (await findRollout(client, name)).rolloutId }),
  principal: findPrincipal,
  template: findAgentTemplate,
  webhook: findWebhook,
  tag: findTag,
}

/** The id of a name with its kind, such as `computer:NAME` or `group:PATH`. Any other text stays as it is. */
export async function resolveName(client: MusterClient, text: string): Promise<string> {
  const [, kind = '', name = ''] = /^(\w+):(.+)$/s.exec(text) ?? []
  const find = kinds[kind]
  return find ? String((await find(client, name)).id) : text
}

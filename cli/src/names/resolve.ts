import type { MusterClient } from '@muster/client'
import { findAgentTemplate } from './agent-templates.ts'
import { findComputer } from './computers.ts'
import { findGroup } from './groups.ts'
import { findPackage } from './packages.ts'
import { findPatch } from './patches.ts'
import { findPmGroup } from './pm-groups.ts'
import { findPrincipal } from './principals.ts'
import { findLicence, findReport } from './reports.ts'
import { findRollout } from './rollouts.ts'
import { findTag } from './tags.ts'
import { findView } from './views.ts'
import { findWebhook } from './webhooks.ts'

type Find = (client: MusterClient, name: string) => Promise<{ id: number | string }>

const kinds = new Map<string, Find>([
  ['computer', findComputer],
  ['group', findGroup],
  ['package', findPackage],
  ['rollout', async (client, name) => ({ id: (await findRollout(client, name)).rolloutId })],
  ['principal', findPrincipal],
  ['template', findAgentTemplate],
  ['webhook', findWebhook],
  ['tag', findTag],
  ['patch', async (client, name) => ({ id: (await findPatch(client, name)).patchId })],
  ['patch-group', findPmGroup],
  ['report', findReport],
  ['licence', findLicence],
  ['view', findView],
])

/** The id of a name with its kind, such as `computer:NAME` or `group:PATH`. Any other text stays as it is. */
export async function resolveName(client: MusterClient, text: string): Promise<string> {
  const [, kind = '', name = ''] = /^([\w-]+):(.+)$/s.exec(text) ?? []
  const find = kinds.get(kind)
  return find ? String((await find(client, name)).id) : text
}

import { until } from '../../server/test/database/embedded-postgres/muster.ts'
import type { Json, Muster } from '../../server/test/world/start-muster.ts'

export type Deployment = {
  status: string
  installationState: string
  desiredMode: string
  errorText: string | null
  setupErrorLogEntries: unknown[] | null
}

/** Imports and assigns an agent template with the settings. */
export async function assignTemplate(muster: Muster, groupId: string, settings: Json): Promise<void> {
  const template = { name: 'quick-agents', version: '1', operatingSystems: ['Linux'], kind: 'agentTemplate', settings }
  await muster.write('quick-agents/muster-package.json', JSON.stringify(template))
  const packageId = await muster.importFolder('quick-agents')
  await muster.post(`/api/group/${groupId}/agent-template`, { packageId })
}

export async function deploymentOf(muster: Muster, computer: number, packageId: string): Promise<Deployment> {
  const [found] = await muster.get<Deployment[]>(`/api/computer/${computer}/software-deployment?packageId=${packageId}`)
  if (!found) throw new Error('The package is not listed.')
  return found
}

/** Reads until the result has the expected values. */
export async function waitFor<T extends object>(read: () => Promise<T>, expected: Partial<T>): Promise<T> {
  let last: T | undefined
  const arrived = until(async () => {
    last = await read()
    return Object.entries(expected).every(([name, value]) => last?.[name as keyof T] === value) ? last : undefined
  }, 20_000)
  return arrived.catch(() => {
    throw new Error(`The result stayed ${JSON.stringify(last)}, not ${JSON.stringify(expected)}.`)
  })
}

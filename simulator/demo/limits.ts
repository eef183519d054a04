import type { Scenario } from '../src/scenario.ts'
import { type Api, requestAccessToken } from './api.ts'

type Options = { address: string; api: Api; scenario: Scenario }

/** Sets a quota for destructive actions, and leaves a request above it, which waits for an approval. */
export async function exceedQuota({ address, api, scenario }: Options, rootId: string): Promise<void> {
  await api.put('/api/blast-radius', { apiQuota: Math.floor(scenario.computers / 2), consoleQuota: 500 })
  const script = await api.post<{ clientId: string; plaintextKey: string }>('/api/admin/local-principals', {
    description: 'Night shutdown script',
    roles: ['activation.execute'],
    expiresAtUtc: null,
  })
  const token = await requestAccessToken(address, script.clientId, script.plaintextKey)
  const { status } = await fetch(`${address}/api/group/${rootId}/activation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ software: true, srl: { action: 'Shutdown', timeoutMinutes: 15, reminderMinutes: 5 } }),
  })
  if (status !== 409)
    throw new Error(`The shutdown of all computers needs an approval, but was answered with ${status}.`)
}

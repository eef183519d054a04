import { randomBytes, randomUUID } from 'node:crypto'
import type { Enrolled, Enrolment } from '../src/protocol.ts'
import type { Api } from './api.ts'
import { plannedMacAddress, plannedServer, serverDomain } from './settings.ts'

const dayMs = 86_400_000

/**
 * Enrols an agent on the planned server, which was created with a name and a MAC address, but without its UUID. The service cannot know whether it
 * really is that server, so the agent waits in quarantine.
 */
export async function enrolUnprovenAgent(api: Api, address: string): Promise<void> {
  const { token } = await api.post<{ token: string }>('/api/enrolment-tokens', {
    description: 'Servers in the new rack',
    expiresAtUtc: new Date(Date.now() + 30 * dayMs).toISOString(),
    maxUses: 1,
  })
  const enrolment = {
    token,
    enrolmentKey: randomBytes(32).toString('base64url'),
    computer: {
      name: plannedServer,
      domain: serverDomain,
      isDomain: true,
      uuid: randomUUID(),
      macAddress: plannedMacAddress,
    },
    agent: { version: '0.1.0', platform: 'Linux' },
  } satisfies Enrolment
  const answer = await fetch(new URL('/agent/v1/enrolment', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(enrolment),
  })
  if (!answer.ok) throw new Error(`The planned server could not enrol: ${answer.status} ${await answer.text()}`)
  const { quarantined } = (await answer.json()) as Enrolled
  if (!quarantined) throw new Error('The agent of the planned server is not in quarantine.')
}

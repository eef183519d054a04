import { randomBytes, randomUUID } from 'node:crypto'
import type { Api } from '../api.ts'
import { contactPath, plainContact } from '../plain-contact.ts'
import { reportTarget } from '../target.ts'
import { pause } from './duration.ts'
import type { FaultRecord } from './faults.ts'

const secondsBetweenContacts = 0.2
/** A crashed database recovers in a few seconds. The rest allows for a busy machine. */
export const maxOutageSeconds = 30

export type ProbeContact = { at: number; isSuccess: boolean }

/** Runs an agent that makes five contacts per second and records each: it shows how long a fault interrupts contacts. */
export async function startProbe(address: string, api: Api, signal: AbortSignal): Promise<ProbeContact[]> {
  const { token } = await api.post<{ token: string }>('/api/enrolment-tokens', {
    expiresAtUtc: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const computer = { name: 'probe', domain: 'soak.example', isDomain: true, uuid: randomUUID() }
  const { credential } = await api.post<{ credential: string }>('/agent/v1/enrolment', {
    token,
    enrolmentKey: randomBytes(32).toString('hex'),
    computer: { ...computer, macAddress: '02:00:00:00:00:02' },
    agent: { version: plainContact.agentVersion, platform: plainContact.platform },
  })
  const probed: ProbeContact[] = []
  while (!signal.aborted) {
    const at = Date.now()
    const answer = await fetch(address + contactPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(plainContact),
    }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    probed.push({ at, isSuccess: answer?.ok === true })
    await pause(secondsBetweenContacts, signal)
  }
  return probed
}

export function reportOutages(faults: readonly FaultRecord[], probed: readonly ProbeContact[]): void {
  const outages = faults.map(({ name, at }, index) => {
    const after = probed.filter((one) => one.at >= at && one.at < (faults[index + 1]?.at ?? Number.POSITIVE_INFINITY))
    const failed = after.filter(({ isSuccess }) => !isSuccess)
    const since = (one: ProbeContact | undefined) => (one ? Math.round((one.at - at) / 100) / 10 : null)
    const firstSuccess = after.find((one) => one.isSuccess && one.at > (failed[0]?.at ?? at))
    return {
      fault: name,
      'failed contacts': failed.length,
      'first failure after s': since(failed[0]),
      'first success after s': since(firstSuccess),
      'last failure after s': since(failed.at(-1)),
      isOver: firstSuccess !== undefined,
    }
  })
  console.table(outages)
  const maxOutage = Math.max(...outages.map((one) => one['last failure after s'] ?? 0))
  const isMet = maxOutage <= maxOutageSeconds && outages.every(({ isOver }) => isOver)
  reportTarget(`contacts fail for up to ${maxOutage} s after a fault, target at most ${maxOutageSeconds} s`, isMet)
}

import { randomBytes, randomUUID } from 'node:crypto'
import type { Api } from '../api.ts'
import { contactPath, plainContact } from '../contacts.ts'
import { verdict } from '../verdict.ts'
import type { Happened } from './faults.ts'
import { pause } from './length.ts'

const secondsBetweenContacts = 0.2
/** A database that crashed recovers in a few seconds; the rest is patience with a busy machine. */
export const longestOutageSeconds = 30

export type Probed = { at: number; isSuccess: boolean }

/** One more agent, which comes five times a second and remembers each contact: it shows how long a fault keeps all away. */
export async function startProbe(address: string, api: Api, signal: AbortSignal): Promise<Probed[]> {
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
  const probed: Probed[] = []
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

export function tellOutages(happened: readonly Happened[], probed: readonly Probed[]): void {
  const outages = happened.map(({ name, at }, index) => {
    const after = probed.filter((one) => one.at >= at && one.at < (happened[index + 1]?.at ?? Number.POSITIVE_INFINITY))
    const failed = after.filter(({ isSuccess }) => !isSuccess)
    const since = (one: Probed | undefined) => (one ? Math.round((one.at - at) / 100) / 10 : null)
    const firstSuccess = after.find((one) => one.isSuccess && one.at > (failed[0]?.at ?? at))
    return {
      fault: name,
      'failed contacts': failed.length,
      'first failure after s': since(failed[0]),
      'first success after that, s': since(firstSuccess),
      'last failure after s': since(failed.at(-1)),
      isOver: firstSuccess !== undefined,
    }
  })
  console.table(outages)
  const longest = Math.max(...outages.map((one) => one['last failure after s'] ?? 0))
  const isMet = longest <= longestOutageSeconds && outages.every(({ isOver }) => isOver)
  verdict(`contacts fail for at most ${longest} s after a fault, bar ${longestOutageSeconds} s`, isMet)
}

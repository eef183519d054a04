import type { Api } from './api.ts'

export type SimulatedDepot = { stop(): void }

const heartbeatMs = 60_000
const hourMs = 3_600_000

/** Where its agents would download from. */
const ownAddress = 'https://depot-01.corp.example.org:5443'

/** A depot that sends a heartbeat every minute and reports waiting synchronisations as done, without copying anything. */
export async function runDepot(address: string, credential: string): Promise<SimulatedDepot> {
  const send = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${address}/depot/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`The depot request failed with ${answer.status}: ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }

  async function synchronise(): Promise<void> {
    const { jobId } = await send('sync-jobs')
    const message = 'All packages are up to date.'
    const counts = { packages: 20, filesTransferred: 12, bytesTransferred: 48_000_000 }
    await send(`sync-jobs/${jobId}/result`, { status: 'Success', message, ...counts })
  }

  async function sendHeartbeat(): Promise<void> {
    const nextSyncUtc = new Date(Date.now() + hourMs).toISOString()
    const { waitingJobId } = await send('heartbeat', { version: '0.1.0', nextSyncUtc, url: ownAddress })
    if (waitingJobId) await synchronise()
  }

  await sendHeartbeat()
  // If the service is unavailable, a later heartbeat reaches it.
  const timer = setInterval(() => void sendHeartbeat().catch(() => {}), heartbeatMs)
  return { stop: () => clearInterval(timer) }
}

export async function createDepotCredential(api: Api, clientId: number): Promise<string> {
  const { credential } = await api.post<{ credential: string }>(`/api/depots/${clientId}/credential`)
  return credential
}

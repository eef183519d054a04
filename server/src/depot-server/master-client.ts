import type { WakeUp } from '../platform/magic-packets.ts'
import type { DepotConfiguration } from './depot-configuration.ts'

export type WantedPackage = { id: string; name: string; contentHash: string }
export type WantedFile = { path: string; size: number; sha256: string }
export type SyncRunResult = {
  status: 'Success' | 'Failed'
  message: string
  packages: number
  filesTransferred: number
  bytesTransferred: number
}

export type Heartbeat = { version: string; nextSyncUtc: string; url: string; sentWakeUps: number[] }

export type MasterClient = ReturnType<typeof createMasterClient>

const answerTimeoutMs = 60_000

/** The master server, or the network to it, is temporarily unavailable. */
class MasterUnavailable extends Error {}

/** True if the master server could not be reached or the connection broke. fetch throws a TypeError in that case. */
export function isMasterUnavailable(error: unknown): boolean {
  return error instanceof MasterUnavailable || error instanceof TypeError || (error as Error).name === 'TimeoutError'
}

/** Creates a client for the depot channel of the master server (`channels/depot`). */
export function createMasterClient({ master, credential }: Pick<DepotConfiguration, 'master' | 'credential'>) {
  async function send(method: 'GET' | 'POST', path: string, options: RequestInit): Promise<Response> {
    const headers = { ...(options.headers as Record<string, string>), authorization: `Bearer ${credential}` }
    // A redirect could send the credential to another host.
    const answer = await fetch(new URL(`depot/v1/${path}`, master), { ...options, method, headers, redirect: 'error' })
    if (answer.ok) return answer
    const { message } = (await answer.json().catch(() => ({}))) as { message?: string }
    const text = `The master server answered ${answer.status}: ${message ?? answer.statusText}`
    throw [502, 503, 504].includes(answer.status) ? new MasterUnavailable(text) : new Error(text)
  }

  async function call(method: 'GET' | 'POST', path: string, signal: AbortSignal, body?: object): Promise<Response> {
    return send(method, path, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  }

  return {
    async heartbeat(report: Heartbeat, signal: AbortSignal) {
      const answer = await call('POST', 'heartbeat', signal, report)
      return (await answer.json()) as { waitingJobId: string | null; wakeUps: WakeUp[] }
    },
    async beginSync(signal: AbortSignal) {
      return (await (await call('POST', 'sync-jobs', signal)).json()) as { jobId: string }
    },
    async endSync(jobId: string, result: SyncRunResult, signal: AbortSignal) {
      await call('POST', `sync-jobs/${jobId}/result`, signal, result)
    },
    async packages(signal: AbortSignal) {
      return (await (await call('GET', 'packages', signal)).json()) as WantedPackage[]
    },
    async files(packageId: string, signal: AbortSignal) {
      const answer = await call('GET', `packages/${packageId}/files`, signal)
      return (await answer.json()) as { contentHash: string; files: WantedFile[] }
    },
    /** Requests a file from the given byte. The master server may decide to send it from its start instead. */
    async content(packageId: string, sha256: string, from: number, signal: AbortSignal) {
      const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-`, 'if-range': `"${sha256}"` } : {}
      const answer = await send('GET', `packages/${packageId}/files/${sha256}`, { headers, signal })
      // Takes the reader at once, because fetch cancels an unread body when its response is garbage-collected.
      return { body: answer.body?.values() ?? null, continues: answer.status === 206 }
    },
  }
}

import type { Worker } from 'node:cluster'
import { on } from 'node:events'

/** What the first process asks of a worker, beyond the start. */
export type Order = 'reload certificate' | 'stop'

/** What a worker tells when it has started, and when it has done as ordered. */
export type Outcome = { addresses: string[] } | { problem: string; code: string | undefined }

export type ToWorker = { order: Order }
export type FromWorker = { outcome: Outcome }

/** The next outcome that the worker tells; it fails as the worker has failed. */
export async function outcomeOf(worker: Worker): Promise<{ addresses: string[] }> {
  const ended = new AbortController()
  // Not at the exit, which may be seen before the last message.
  worker.once('disconnect', () => ended.abort())
  try {
    for await (const [message] of on(worker, 'message', { signal: ended.signal })) {
      const { outcome } = message as Partial<FromWorker>
      if (!outcome) continue
      if ('problem' in outcome) throw Object.assign(new Error(outcome.problem), { code: outcome.code })
      return outcome
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error
  }
  throw new Error('A worker has died. Its last words are above.')
}

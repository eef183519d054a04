import type { Worker } from 'node:cluster'
import { on } from 'node:events'

/** What the primary process asks of a running worker. */
export type WorkerCommand = 'reload certificate' | 'respond' | 'stop'

/** What a worker reports after its start and after it was asked to reload its certificate. */
export type WorkerOutcome = { addresses: string[] } | { problem: string; code: string | undefined }

/** A command, or a sign that the background work of the first process runs. */
export type ToWorker = { command: WorkerCommand; jobBeat?: undefined } | { command?: undefined; jobBeat: true }
/**
 * A worker sends one of them at a time. `isResponding` proves that it still processes events; `hasActivity` says that a request
 * may have changed something.
 */
export type FromWorker = { outcome?: WorkerOutcome; isResponding?: true; hasActivity?: true }

/** Waits for the next outcome that the worker reports. Throws the problem if it reports one. */
export async function waitForOutcome(worker: Worker): Promise<{ addresses: string[] }> {
  const disconnected = new AbortController()
  // Not 'exit', which may be emitted before the last message.
  worker.once('disconnect', () => disconnected.abort())
  try {
    for await (const [message] of on(worker, 'message', { signal: disconnected.signal })) {
      const { outcome } = message as FromWorker
      if (!outcome) continue
      if ('problem' in outcome) throw Object.assign(new Error(outcome.problem), { code: outcome.code })
      return outcome
    }
  } catch (error) {
    if (!disconnected.signal.aborted) throw error
  }
  throw new Error('A worker ended unexpectedly. Its output above may contain the cause.')
}

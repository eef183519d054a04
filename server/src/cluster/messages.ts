import type { Worker } from 'node:cluster'
import { on } from 'node:events'

/** What the primary process asks of a running worker. */
export type WorkerCommand = 'reload certificate' | 'stop'

/** What a worker reports after its start and after each command. */
export type WorkerOutcome = { addresses: string[] } | { problem: string; code: string | undefined }

/** A command, or a sign that the background work of the first process runs. */
export type ToWorker = { command: WorkerCommand; jobBeat?: undefined } | { command?: undefined; jobBeat: true }
export type FromWorker = { outcome: WorkerOutcome }

/** Waits for the next outcome that the worker reports. Throws the problem if it reports one. */
export async function waitForOutcome(worker: Worker): Promise<{ addresses: string[] }> {
  const disconnected = new AbortController()
  // Not 'exit', which may be emitted before the last message.
  worker.once('disconnect', () => disconnected.abort())
  try {
    for await (const [message] of on(worker, 'message', { signal: disconnected.signal })) {
      const { outcome } = message as Partial<FromWorker>
      if (!outcome) continue
      if ('problem' in outcome) throw Object.assign(new Error(outcome.problem), { code: outcome.code })
      return outcome
    }
  } catch (error) {
    if (!disconnected.signal.aborted) throw error
  }
  throw new Error('A worker ended unexpectedly. Its output above may contain the cause.')
}

import { log } from '../log.ts'
import { maxLength } from '../protocol.ts'
import { Refused, type ServerClient } from '../server-client.ts'

export type Lease = ReturnType<typeof startLease>

type LeasedWork = { workId: number; attempt: number }

/** Work that takes longer reports that it has begun, if the server does not know it. */
const firstReportMs = 5_000

/**
 * Reports progress often enough that the lease of the work item does not expire. Until `silentUntil`, by
 * `performance.now()`, the work may begin without confirmation: the next step is not reported before it begins. `onProgress` is
 * called with every percentage.
 */
export function startLease(
  client: ServerClient,
  { workId, attempt }: LeasedWork,
  leaseSeconds: number,
  silentUntil = 0,
  onProgress: (percent: number) => void = () => undefined,
) {
  const cancelled = new AbortController()
  const ended = new AbortController()
  let latest = { percent: 0, message: 'Started' }
  let sending: Promise<void> | undefined

  async function send(): Promise<void> {
    try {
      const { percent, message } = latest
      const progress = {
        attempt,
        percent: Math.min(100, Math.max(0, Math.floor(percent))),
        message: message.slice(0, maxLength.message).toWellFormed(),
      }
      const answer = await client.progress(
        workId,
        progress,
        AbortSignal.any([ended.signal, AbortSignal.timeout(10_000)]),
      )
      if (answer.cancelled) cancelled.abort()
    } catch (error) {
      // Work continues without the server: only its result matters.
      if (error instanceof Refused && error.code === 'WorkNotHeld') cancelled.abort()
      else if (!ended.signal.aborted) log(`Work ${workId}: progress could not be reported. ${(error as Error).message}`)
    }
  }

  function sendOnce(): Promise<void> {
    sending ??= send().finally(() => {
      sending = undefined
    })
    return sending
  }

  const everyMs = Math.min(60_000, Math.max(1_000, (leaseSeconds * 1000) / 3))
  const timer = setInterval(() => void sendOnce(), everyMs)
  const first = silentUntil > 0 ? setTimeout(() => void sendOnce(), firstReportMs) : undefined

  return {
    /** Aborted when the work was cancelled or the lease was lost. */
    cancelled: cancelled.signal,
    note(percent: number, message: string): void {
      latest = { percent, message }
      onProgress(percent)
    },
    async report(percent: number, message: string): Promise<void> {
      onProgress(percent)
      await sending
      latest = { percent, message }
      if (performance.now() > silentUntil) await sendOnce()
    },
    end(): void {
      clearInterval(timer)
      clearTimeout(first)
      ended.abort()
    },
  }
}

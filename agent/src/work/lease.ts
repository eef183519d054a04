import { log } from '../log.ts'
import { longest } from '../protocol.ts'
import { Refused, type ServerClient } from '../server-client.ts'

export type Lease = ReturnType<typeof keepLease>

/** Tells the server how far a piece of work is, often enough that it does not give it away. */
export function keepLease(client: ServerClient, workId: number, attempt: number, leaseSeconds: number) {
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
        message: message.slice(0, longest.message).toWellFormed(),
      }
      const answer = await client.progress(
        workId,
        progress,
        AbortSignal.any([ended.signal, AbortSignal.timeout(10_000)]),
      )
      if (answer.cancelled) cancelled.abort()
    } catch (error) {
      // Without the server the work goes on: its result is what counts.
      if (error instanceof Refused && error.code === 'WorkNotHeld') cancelled.abort()
      else if (!ended.signal.aborted) log(`Work ${workId}: its progress could not be told. ${(error as Error).message}`)
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

  return {
    /** The server does not want the work any more, or has given it away. */
    cancelled: cancelled.signal,
    note(percent: number, message: string): void {
      latest = { percent, message }
    },
    async tell(percent: number, message: string): Promise<void> {
      await sending
      latest = { percent, message }
      await sendOnce()
    },
    end(): void {
      clearInterval(timer)
      ended.abort()
    },
  }
}

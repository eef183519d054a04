import { setTimeout as sleep } from 'node:timers/promises'
import type { MusterClient } from '@muster/client'

type WatchOptions = { types: readonly string[]; signal: AbortSignal }

/** Events come in bursts; one look at the state covers all of them. */
const minPauseMs = 300
/** Some progress leaves no event. */
const maxPauseMs = 5_000

/** Calls `check` now and whenever something has happened, until it returns true or the signal ends it. */
export async function checkOnEvents(
  client: MusterClient,
  { types, signal }: WatchOptions,
  check: () => Promise<boolean>,
): Promise<void> {
  const end = new AbortController()
  const ended = AbortSignal.any([signal, end.signal])
  let wake = () => {}
  const following = (async () => {
    // When the stream is open, a second look covers what happened before.
    for await (const _ of client.follow({ types, signal: ended, onOpen: () => wake() })) wake()
  })()
  following.catch(() => {})
  try {
    while (!signal.aborted && !(await check())) {
      const event = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([event, following, sleep(maxPauseMs, undefined, { signal: ended }).catch(() => {})])
      await sleep(minPauseMs, undefined, { signal: ended }).catch(() => {})
    }
  } catch (error) {
    // The interruption also ends the request of a check.
    if (!signal.aborted) throw error
  } finally {
    end.abort()
    await following.catch(() => {})
  }
}

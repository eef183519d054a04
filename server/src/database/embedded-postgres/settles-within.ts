import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for the work, but not longer than the time limit. Returns whether it ended in time, by success or failure.
 * It is in this folder because the embedded server imports nothing from outside of it.
 */
export async function settlesWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController()
  const late = sleep(Math.max(0, milliseconds), false, { signal: timer.signal }).catch(() => false)
  const inTime = await Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    late,
  ])
  timer.abort()
  return inTime
}

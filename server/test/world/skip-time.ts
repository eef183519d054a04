import { onTestFinished, vi } from 'vitest'

const realNow = performance.now.bind(performance)
let skippedMs = 0

/** Until the end of the test, this process measures durations as if this much more time had passed. Timers are not affected. */
export function skipTime(milliseconds: number): void {
  skippedMs += milliseconds
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + skippedMs)
  onTestFinished(() => {
    clock.mockRestore()
    skippedMs = 0
  })
}

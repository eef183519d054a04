import { onTestFinished, TestRunner, vi } from 'vitest'

const realNow = performance.now.bind(performance)
let skippedMs = 0

/** Until the end of the test, this process measures durations as if this much more time had passed. Timers are not affected. */
export function skipTime(milliseconds: number): void {
  // None is known to a concurrent test that has waited.
  const current = TestRunner.getCurrentTest()
  if (!current || current.concurrent)
    throw new Error('Tests that run at the same time have one clock: skip time in a test that runs alone.')
  skippedMs += milliseconds
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + skippedMs)
  onTestFinished(() => {
    clock.mockRestore()
    skippedMs = 0
  })
}

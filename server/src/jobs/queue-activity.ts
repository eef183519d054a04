/** Each queue is asked for jobs every five seconds, even without any. */
const maxPauseMs = 9_000

/** Observes whether pg-boss still sends statements, which it does as long as its timers work. */
export function openQueueActivity() {
  let awaited = 0
  let lastAt = performance.now()
  return {
    async track<T>(statement: Promise<T>): Promise<T> {
      awaited++
      try {
        return await statement
      } finally {
        awaited--
        lastAt = performance.now()
      }
    },
    // Every statement of the queue has a deadline.
    isActive: () => awaited > 0 || performance.now() - lastAt < maxPauseMs,
  }
}

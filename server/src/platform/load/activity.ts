/**
 * Shows what repeats whether something happens in this process, so it need not look all the time while nothing does. Periodic
 * tasks follow changes, and health checks requests.
 */
export type Activity = {
  /** Called whenever something has happened. */
  note(): void
  /** How often something has been noted so far. */
  count(): number
  /** Waits for the next note, for at most this long. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

export function openActivity(): Activity {
  const waiting = new Set<() => void>()
  let count = 0
  return {
    note() {
      count++
      for (const resume of waiting) resume()
    },
    count: () => count,
    wait(milliseconds, signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (signal.aborted) return Promise.resolve()
      const end = () => resolve()
      const timer = setTimeout(end, milliseconds).unref()
      waiting.add(end)
      signal.addEventListener('abort', end)
      return promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(end)
        signal.removeEventListener('abort', end)
      })
    },
  }
}

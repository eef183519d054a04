/** What waits for the check. A heartbeat says nothing that the reader must not know. */
export type Waiting = { content: string | Buffer; isHeartbeat?: true }

export type CheckedSending = {
  isAllowed(): Promise<boolean>
  send(content: string | Buffer): void
  /** Ends the stream. What is sent afterwards has no effect. */
  end(): void
}

/** Readers share the bytes of batches, so waiting costs little. A check that takes this long does not return. */
const maxWaitingItems = 100

/**
 * Returns a function that sends in the order of its calls, each after a check that begins after the call. Calls during a
 * check share the next one.
 */
export function sendWhenChecked({ isAllowed, send, end }: CheckedSending): (item: Waiting) => void {
  let waiting: Waiting[] = []
  let isChecking = false

  async function sendWaiting(): Promise<void> {
    isChecking = true
    while (waiting.length > 0) {
      const checked = waiting
      waiting = []
      // Without the database nothing is known about the right. The reader can connect again and misses nothing.
      const mayContinue = await isAllowed().catch(() => checked.every(({ isHeartbeat }) => isHeartbeat))
      if (!mayContinue) end()
      for (const { content } of checked) send(content)
    }
    isChecking = false
  }

  return (item) => {
    if (waiting.length >= maxWaitingItems) return end()
    waiting.push(item)
    if (!isChecking) void sendWaiting()
  }
}

/** How much a process reads and keeps at a time, in all and for each enrolment token. */
export type ReadingLimits = {
  maxRunning: number
  maxRunningPerToken: number
  maxBytes: number
  maxBytesPerToken: number
}

/** Runs the work of many tokens in turn, so that a flood of messages with one token does not delay those with others. */
export type ReadingQueue = {
  /** Throws `ReaderBusy` when the messages that wait or are being read, in all or with this token, have too many bytes. */
  run<T>(tokenId: number, bytes: number, work: () => Promise<T>): Promise<T>
}

export class ReaderBusy extends Error {
  override name = 'ReaderBusy'
}

/** A message counts as at least this many bytes, because the request that waits for it needs memory as well. */
const minMessageBytes = 32 * 1024

type Line = { running: number; bytes: number; waiting: (() => void)[] }

export function openReadingQueue(limits: ReadingLimits): ReadingQueue {
  /** By token, the one that has waited for its turn since the earliest time first. */
  const lines = new Map<number, Line>()
  let [running, bytes] = [0, 0]

  function startNext(): void {
    while (running < limits.maxRunning) {
      const next = [...lines].find(([, line]) => line.waiting.length > 0 && line.running < limits.maxRunningPerToken)
      if (!next) return
      const [tokenId, line] = next
      lines.delete(tokenId)
      lines.set(tokenId, line)
      line.running++
      running++
      line.waiting.shift()?.()
    }
  }

  return {
    async run(tokenId, messageBytes, work) {
      const size = Math.max(minMessageBytes, messageBytes)
      const line = lines.get(tokenId) ?? { running: 0, bytes: 0, waiting: [] }
      if (bytes + size > limits.maxBytes || line.bytes + size > limits.maxBytesPerToken)
        throw new ReaderBusy('Too many messages are waiting to be read')
      lines.set(tokenId, line)
      line.bytes += size
      bytes += size
      try {
        await new Promise<void>((resolve) => {
          line.waiting.push(resolve)
          startNext()
        })
        return await work().finally(() => {
          line.running--
          running--
        })
      } finally {
        line.bytes -= size
        bytes -= size
        if (line.bytes === 0) lines.delete(tokenId)
        startNext()
      }
    },
  }
}

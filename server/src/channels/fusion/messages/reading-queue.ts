import { openPlaces } from '../../../platform/load/places.ts'

/** How much a process reads and keeps at a time, in all and for each enrolment token. */
export type ReadingLimits = {
  maxRunning: number
  maxRunningPerToken: number
  maxBytes: number
  maxBytesPerToken: number
}

/** Runs the work of many tokens in turn so that a flood of messages with one token does not delay those with others. */
export type ReadingQueue = {
  /** Throws `ReaderBusy` when the messages that wait or are being read, in all or with this token, have too many bytes. */
  run<T>(tokenId: number, bytes: number, work: () => Promise<T>): Promise<T>
}

export class ReaderBusy extends Error {
  override name = 'ReaderBusy'
}

/** A message counts as at least this many bytes, because the request that waits for it needs memory as well. */
const minMessageBytes = 32 * 1024

export function openReadingQueue(limits: ReadingLimits): ReadingQueue {
  const places = openPlaces({ max: limits.maxRunning, maxPerShare: limits.maxRunningPerToken })
  const bytesOfTokens = new Map<number, number>()
  let bytes = 0

  function addBytes(tokenId: number, added: number): void {
    bytes += added
    const ofToken = (bytesOfTokens.get(tokenId) ?? 0) + added
    if (ofToken > 0) bytesOfTokens.set(tokenId, ofToken)
    else bytesOfTokens.delete(tokenId)
  }

  return {
    async run(tokenId, messageBytes, work) {
      const size = Math.max(minMessageBytes, messageBytes)
      if (bytes + size > limits.maxBytes || (bytesOfTokens.get(tokenId) ?? 0) + size > limits.maxBytesPerToken)
        throw new ReaderBusy('Too many messages are waiting to be read')
      addBytes(tokenId, size)
      try {
        const end = await places.take(tokenId)
        return await work().finally(end)
      } finally {
        addBytes(tokenId, -size)
      }
    },
  }
}

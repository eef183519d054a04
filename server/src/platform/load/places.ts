/** A limited number of places for work of one kind. Those who wait are divided into shares, which take turns. */
export type Places = {
  /** Waits for a place and returns the function that frees it. Throws `NoPlaceFree` if that would take too long. */
  take(share?: string | number): Promise<() => void>
  state(): { running: number; waiting: number }
}

export type PlaceLimits = {
  max: number
  /** Places that one share can have at a time. By default, all of them. */
  maxPerShare?: number
  /** From this many on, nobody else may wait. */
  maxWaiting?: number
  /** By default, there is no limit. */
  maxWaitMs?: number
}

export class NoPlaceFree extends Error {
  override name = 'NoPlaceFree'
}

const onlyShare = 0

/** A free place goes to the share whose turn it is, and within the share in the order of arrival. */
export function openPlaces(limits: PlaceLimits): Places {
  const { max, maxPerShare = max, maxWaiting = Number.POSITIVE_INFINITY, maxWaitMs } = limits
  const running = new Map<string | number, number>()
  /** Shares in which somebody waits, in the order of their turns. */
  const queues = new Map<string | number, (() => void)[]>()
  let [runningCount, waitingCount] = [0, 0]

  const hasRoom = (share: string | number) => runningCount < max && (running.get(share) ?? 0) < maxPerShare

  function start(share: string | number): void {
    runningCount++
    running.set(share, (running.get(share) ?? 0) + 1)
  }

  function end(share: string | number): void {
    runningCount--
    const others = (running.get(share) ?? 1) - 1
    if (others > 0) running.set(share, others)
    else running.delete(share)
    startWaiting()
  }

  function startWaiting(): void {
    for (const [share, queue] of queues) {
      if (!hasRoom(share)) continue
      // A share that is added again comes last.
      queues.delete(share)
      const [first, ...rest] = queue
      if (rest.length > 0) queues.set(share, rest)
      start(share)
      first?.()
    }
  }

  async function waitForPlace(share: string | number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    queues.set(share, [...(queues.get(share) ?? []), resolve])
    const leave = () => {
      const others = (queues.get(share) ?? []).filter((waiting) => waiting !== resolve)
      if (others.length > 0) queues.set(share, others)
      else queues.delete(share)
      reject(new NoPlaceFree('No place became free in time.'))
    }
    const timer = maxWaitMs === undefined ? undefined : setTimeout(leave, maxWaitMs)
    waitingCount++
    await promise.finally(() => {
      waitingCount--
      clearTimeout(timer)
    })
  }

  return {
    async take(share = onlyShare) {
      if (hasRoom(share)) start(share)
      else if (waitingCount < maxWaiting) await waitForPlace(share)
      else throw new NoPlaceFree('Too many are waiting for a place.')
      let isFreed = false
      return () => {
        if (!isFreed) end(share)
        isFreed = true
      }
    },
    state: () => ({ running: runningCount, waiting: waitingCount }),
  }
}

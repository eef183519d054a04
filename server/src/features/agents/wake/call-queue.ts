import type { Turns } from '../../../platform/load/turns.ts'

const tickMs = 100

/** Agents are called at this share of the rate at which work is handed out: contacts of others need the rest. */
const shareOfRate = 0.5

/** This process keeps the calls of these seconds. All others wait in the database, where another process finds them. */
const maxSecondsWaiting = 5

export type CallQueue = {
  add(computerId: number): void
  /** Returns whether the computer waited for its call. */
  remove(computerId: number): boolean
  /** How many more calls the queue takes. */
  room(): number
  close(): void
}

export type CallQueueOptions = {
  turns: Pick<Turns, 'state'>
  call(computerId: number): void
  /** Called when the queue has become empty. */
  onEmpty(): void
}

/**
 * Calls agents at the pace at which the service hands out work: an activation of the whole fleet must not bring all agents at
 * once. A single call does not wait.
 */
export function openCallQueue({ turns, call, onEmpty }: CallQueueOptions): CallQueue {
  const waiting = new Set<number>()
  let timer: NodeJS.Timeout | undefined

  const callsPerTick = () => {
    const { waiting: agentsWithTurn, perSecond } = turns.state()
    // Agents that were called and have to wait for more than a second would only be joined by others.
    return agentsWithTurn > perSecond ? 1 : Math.max(1, Math.floor((perSecond * shareOfRate * tickMs) / 1_000))
  }

  function run(): void {
    timer = undefined
    let left = callsPerTick()
    for (const computerId of waiting) {
      if (left-- <= 0) break
      waiting.delete(computerId)
      call(computerId)
    }
    // Also after the last one: those that are added within the tick have to wait for the next.
    timer = setTimeout(waiting.size > 0 ? run : rest, tickMs)
  }

  function rest(): void {
    timer = undefined
    if (waiting.size > 0) run()
    else onEmpty()
  }

  return {
    add(computerId) {
      waiting.add(computerId)
      timer ??= setTimeout(run)
    },
    remove: (computerId) => waiting.delete(computerId),
    room: () => Math.max(1, Math.ceil(turns.state().perSecond * shareOfRate * maxSecondsWaiting)) - waiting.size,
    close() {
      clearTimeout(timer)
      waiting.clear()
    },
  }
}

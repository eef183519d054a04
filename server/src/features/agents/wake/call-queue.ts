import type { Turns } from '../../../platform/load/turns.ts'

const tickMs = 100
const ticksPerSecond = 1_000 / tickMs

/** Calls per second. The first ones are few: nobody knows yet what the process can do. */
const pace = { first: 100, min: 10, max: 640 }
const growth = 1.1
const reduction = 0.5
/** With this many hand-outs at once, agents that are called would take the room of others. */
const maxRunning = 12

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
 * Calls agents as fast as the service hands out work: an activation of the whole fleet must not bring all agents at once. The
 * pace grows while there is room and falls when agents wait for their turns. It does not follow the measured rate of hand-outs:
 * that is low while few are called, so few would be called. A single call does not wait.
 */
export function openCallQueue({ turns, call, onEmpty }: CallQueueOptions): CallQueue {
  const waiting = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let perSecond = pace.first

  function adaptPace(): void {
    const { running, waiting: agentsWithTurn } = turns.state()
    const isSaturated = agentsWithTurn > 0 || running >= maxRunning
    perSecond = Math.min(pace.max, Math.max(pace.min, perSecond * (isSaturated ? reduction : growth)))
  }

  function run(): void {
    adaptPace()
    let left = Math.max(1, Math.floor(perSecond / ticksPerSecond))
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
    else {
      perSecond = Math.max(perSecond, pace.first)
      onEmpty()
    }
  }

  return {
    add(computerId) {
      waiting.add(computerId)
      timer ??= setTimeout(run)
    },
    remove: (computerId) => waiting.delete(computerId),
    room: () => Math.ceil(perSecond * maxSecondsWaiting) - waiting.size,
    close() {
      clearTimeout(timer)
      waiting.clear()
    },
  }
}

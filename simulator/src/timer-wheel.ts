const none = -1

export type TimerWheel = {
  /** Wakes the computer at this time. Replaces any earlier setting. */
  set(computer: number, time: number): void
  /** When the computer is woken; infinity if no time is set. */
  timeOf(computer: number): number
  /** Wakes all computers whose time has come, and clears their times. */
  wakeDue(now: number, wake: (computer: number, time: number) => void): void
}

/**
 * Keeps one wake-up time per computer without a timer per computer: each slot of the wheel is a linked list, stored in
 * arrays of numbers. A time that is more than one turn of the wheel away stays in its slot for that many turns.
 */
export function timerWheel(computers: number, began: number, tickMs = 20, slotCount = 8192): TimerWheel {
  const first = new Int32Array(slotCount).fill(none)
  const after = new Int32Array(computers).fill(none)
  const before = new Int32Array(computers).fill(none)
  const times = new Float64Array(computers).fill(Number.POSITIVE_INFINITY)
  const tickOf = (time: number) => Math.floor((time - began) / tickMs)
  const slotOf = (time: number) => Math.max(0, tickOf(time)) % slotCount
  let nextTick = 0

  function remove(computer: number): void {
    const time = at(times, computer)
    if (time === Number.POSITIVE_INFINITY) return
    const [previous, next] = [at(before, computer), at(after, computer)]
    if (previous === none) first[slotOf(time)] = next
    else after[previous] = next
    if (next !== none) before[next] = previous
    times[computer] = Number.POSITIVE_INFINITY
  }

  return {
    set(computer, time) {
      remove(computer)
      if (time === Number.POSITIVE_INFINITY) return
      // A time in the past goes into the slot that is checked next.
      const wakeAt = Math.max(time, began + nextTick * tickMs)
      const slot = slotOf(wakeAt)
      const head = at(first, slot)
      times[computer] = wakeAt
      before[computer] = none
      after[computer] = head
      if (head !== none) before[head] = computer
      first[slot] = computer
    },
    timeOf: (computer) => at(times, computer),
    wakeDue(now, wake) {
      const last = Math.min(tickOf(now), nextTick + slotCount - 1)
      for (let tick = nextTick; tick <= last; tick++) {
        for (let computer = at(first, tick % slotCount); computer !== none; ) {
          const next = at(after, computer)
          const time = at(times, computer)
          if (time <= now) {
            remove(computer)
            wake(computer, time)
          }
          computer = next
        }
      }
      // The current slot is not over: more times may be set in it.
      nextTick = Math.max(nextTick, tickOf(now))
    },
  }
}

function at(numbers: Int32Array | Float64Array, index: number): number {
  return numbers[index] ?? none
}

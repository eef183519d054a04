const none = -1

export type TimerWheel = {
  /** Wakes the computer at the time, in the place of any other time that was set for it. */
  set(computer: number, time: number): void
  /** When the computer will be woken; infinity if it will not be. */
  timeOf(computer: number): number
  /** Those whose time has come, each once, and none of them is set any more. */
  due(now: number, wake: (computer: number, time: number) => void): void
}

/**
 * One time for each of many computers, without a timer for each: slots of a wheel, with lists through three arrays of
 * numbers. Times further away than one turn of the wheel stay in their slot for as many turns.
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
      // What should have been before goes into the slot that is looked at next.
      const asked = Math.max(time, began + nextTick * tickMs)
      const slot = slotOf(asked)
      const head = at(first, slot)
      times[computer] = asked
      before[computer] = none
      after[computer] = head
      if (head !== none) before[head] = computer
      first[slot] = computer
    },
    timeOf: (computer) => at(times, computer),
    due(now, wake) {
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
      // The slot of now is not over: more may come into it.
      nextTick = Math.max(nextTick, tickOf(now))
    },
  }
}

function at(numbers: Int32Array | Float64Array, place: number): number {
  return numbers[place] ?? none
}

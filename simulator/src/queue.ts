/** Computers that are due, first in, first out. A computer is in the queue at most once. */
export type Queue = {
  push(computer: number, time: number): void
  /** Removes the first computer and returns it with its planned time. */
  shift(): { computer: number; time: number } | undefined
  length(): number
}

/** A ring buffer of a fixed size. */
export function newQueue(size: number): Queue {
  const ring = new Int32Array(size)
  const times = new Float64Array(size)
  let [head, length] = [0, 0]
  return {
    push(computer, time) {
      ring[(head + length) % size] = computer
      times[(head + length) % size] = time
      length++
    },
    shift() {
      if (length === 0) return undefined
      const first = { computer: ring[head] ?? 0, time: times[head] ?? 0 }
      head = (head + 1) % size
      length--
      return first
    },
    length: () => length,
  }
}

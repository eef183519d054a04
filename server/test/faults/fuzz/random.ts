/** Random choices that follow from a seed: the same seed makes the same choices. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** From 0 up to, but not including, `bound`. */
  integer(bound: number): number
  /** Whether an event of this probability happens. */
  chance(probability: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
  find<T>(items: readonly T[]): T | undefined
}

/** Each request has choices of its own so that one request can be made again without those before it. */
export function openRandom(seed: number, number: number): Random {
  let state = Math.imul(seed + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35)
  // The generator mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (bound: number) => Math.floor(next() * bound)
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => items[integer(items.length)] ?? items[0],
    find: (items) => items[integer(items.length)],
  }
}

export function randomUuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => random.integer(16).toString(16)).join('')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}

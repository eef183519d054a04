/** A repeatable sequence of random values. */
export type Draws = {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number
  /** True with this probability. */
  happens(probability: number): boolean
  pick<T>(choices: readonly T[]): T
}

/**
 * Each computer, purpose and occasion has its own sequence. What one computer draws never depends on other computers or on
 * the order of events. The generator is sfc32 of PractRand. Its state is exactly these four numbers.
 */
export function drawsOf(seed: number, computer: number, purpose: string, occasion = 0): Draws {
  let [a, b, c, counter] = [seed | 0, computer | 0, hashOf(purpose), occasion | 0]
  const step = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) step()
  const next = () => step() / 0x1_0000_0000
  return {
    next,
    whole: (min, max) => min + Math.floor(next() * (max - min + 1)),
    happens: (probability) => next() < probability,
    pick(choices) {
      const choice = choices[Math.floor(next() * choices.length)]
      if (choice === undefined) throw new RangeError('There are no choices.')
      return choice
    },
  }
}

/** The FNV-1a hash of a text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 0
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** A UUID of version 4. */
export function uuidOf(draws: Draws): string {
  const part = () => Math.floor(draws.next() * 0x1_0000_0000)
  const [first, second, third, fourth] = [part(), part(), part(), part()]
  const digits = [
    hex(first, 8),
    hex(second >>> 16, 4),
    hex(0x4000 | (second & 0xfff), 4),
    hex(0x8000 | (third & 0x3fff), 4),
    hex(third >>> 16, 4) + hex(fourth, 8),
  ]
  return digits.join('-')
}

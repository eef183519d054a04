/** Numbers that look random and are the same each time for the same beginning. */
export type Draws = {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number, both ends included. */
  whole(least: number, most: number): number
  /** Whether something happens that does so with this probability. */
  happens(probability: number): boolean
  pick<T>(choices: readonly T[]): T
}

/**
 * A stream of draws for each computer, purpose and occasion. What one computer draws never depends on what others do, or
 * on the order in which they do it. The generator is sfc32 of PractRand; its state is just these four numbers.
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
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    happens: (probability) => next() < probability,
    pick(choices) {
      const chosen = choices[Math.floor(next() * choices.length)]
      if (chosen === undefined) throw new RangeError('There is nothing to choose from.')
      return chosen
    },
  }
}

/** FNV-1a. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 0
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** A UUID of the random kind. */
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

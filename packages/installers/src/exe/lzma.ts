/**
 * Unpacks the beginning of LZMA data without a header, as installers of Inno Setup contain it. Libraries unpack all of the data or
 * nothing; here the first kilobytes are enough, whatever follows. Written after the specification of LZMA by Igor Pavlov.
 */

const modelBits = 11
const initialProbability = 2 ** (modelBits - 1)
const moveBits = 5
const topValue = 2 ** 24
const states = 12
const posSlotBits = 6
const alignBits = 4
const endPosModel = 14
const minMatch = 2

const probabilities = (count: number) => new Uint16Array(count).fill(initialProbability)

/** The input ends. That is expected: only its beginning was given. */
class InputEnd extends Error {}

class RangeDecoder {
  #code = 0
  #range = 0xffffffff
  #position = 0
  readonly #input: Buffer

  constructor(input: Buffer) {
    this.#input = input
    for (let count = 0; count < 5; count++) this.#code = ((this.#code << 8) | this.#nextByte()) >>> 0
  }

  #nextByte(): number {
    const byte = this.#input[this.#position++]
    if (byte === undefined) throw new InputEnd()
    return byte
  }

  #normalise(): void {
    if (this.#range >= topValue) return
    this.#range = (this.#range << 8) >>> 0
    this.#code = ((this.#code << 8) | this.#nextByte()) >>> 0
  }

  bit(model: Uint16Array, index: number): number {
    const probability = model[index] ?? initialProbability
    const bound = (this.#range >>> modelBits) * probability
    const isZero = this.#code < bound
    if (isZero) {
      this.#range = bound
      model[index] = probability + ((2 ** modelBits - probability) >> moveBits)
    } else {
      this.#range = (this.#range - bound) >>> 0
      this.#code = (this.#code - bound) >>> 0
      model[index] = probability - (probability >> moveBits)
    }
    this.#normalise()
    return isZero ? 0 : 1
  }

  directBits(count: number): number {
    let result = 0
    for (let index = 0; index < count; index++) {
      this.#range >>>= 1
      const isOne = this.#code >= this.#range
      if (isOne) this.#code = (this.#code - this.#range) >>> 0
      this.#normalise()
      result = result * 2 + (isOne ? 1 : 0)
    }
    return result
  }

  tree(model: Uint16Array, start: number, bits: number): number {
    let node = 1
    for (let index = 0; index < bits; index++) node = (node << 1) | this.bit(model, start + node)
    return node - (1 << bits)
  }

  reverseTree(model: Uint16Array, start: number, bits: number): number {
    let [node, symbol] = [1, 0]
    for (let index = 0; index < bits; index++) {
      const bit = this.bit(model, start + node)
      node = (node << 1) | bit
      symbol |= bit << index
    }
    return symbol
  }
}

const treeOf8Bits = 256
const treeOf3Bits = 8

class LengthDecoder {
  readonly #choice = probabilities(2)
  readonly #low = probabilities(16 * treeOf3Bits)
  readonly #mid = probabilities(16 * treeOf3Bits)
  readonly #high = probabilities(treeOf8Bits)

  decode(decoder: RangeDecoder, posState: number): number {
    if (decoder.bit(this.#choice, 0) === 0) return decoder.tree(this.#low, posState * treeOf3Bits, 3)
    if (decoder.bit(this.#choice, 1) === 0) return 8 + decoder.tree(this.#mid, posState * treeOf3Bits, 3)
    return 16 + decoder.tree(this.#high, 0, 8)
  }
}

type Properties = { lc: number; lp: number; pb: number }

/** The first bytes of what the data unpacks to: at most `maxBytes`, and fewer if the data ends or is wrong. */
export function unpackLzmaBeginning(data: Buffer, maxBytes: number): Buffer {
  const packed = data[0] ?? 255
  if (packed >= 9 * 5 * 5) return Buffer.alloc(0)
  const properties = { lc: packed % 9, lp: Math.floor(packed / 9) % 5, pb: Math.floor(packed / 45) }
  const output = Buffer.alloc(maxBytes)
  const progress = { length: 0 }
  try {
    unpack(new RangeDecoder(data.subarray(5)), properties, output, progress)
  } catch (error) {
    if (!(error instanceof InputEnd)) throw error
  }
  return output.subarray(0, progress.length)
}

function unpack(decoder: RangeDecoder, { lc, lp, pb }: Properties, output: Buffer, progress: { length: number }): void {
  const literals = probabilities(0x300 << (lc + lp))
  const isMatch = probabilities(states << 4)
  const isRepeat0Long = probabilities(states << 4)
  // Of each state: whether a match repeats a distance, and which of the last four.
  const repeats = [0, 1, 2, 3].map(() => probabilities(states)) as [Uint16Array, Uint16Array, Uint16Array, Uint16Array]
  const [lengths, repeatLengths] = [new LengthDecoder(), new LengthDecoder()]
  const distances = openDistances(decoder)
  let [state, rep0, rep1, rep2, rep3] = [0, 0, 0, 0, 0]
  while (progress.length < output.length) {
    const at = progress.length
    const posState = at & ((1 << pb) - 1)
    if (decoder.bit(isMatch, (state << 4) + posState) === 0) {
      const previous = at === 0 ? 0 : (output[at - 1] ?? 0)
      const model = 0x300 * (((at & ((1 << lp) - 1)) << lc) + (previous >> (8 - lc)))
      output[at] = literalAt(decoder, literals, model, state < 7 ? undefined : output[at - rep0 - 1])
      progress.length++
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6
      continue
    }
    let length: number
    if (decoder.bit(repeats[0], state) === 0) {
      ;[rep3, rep2, rep1] = [rep2, rep1, rep0]
      length = lengths.decode(decoder, posState)
      state = state < 7 ? 7 : 10
      rep0 = distances(length)
    } else {
      if (decoder.bit(repeats[1], state) === 0) {
        if (decoder.bit(isRepeat0Long, (state << 4) + posState) === 0) {
          state = state < 7 ? 9 : 11
          if (rep0 >= at) return
          output[at] = output[at - rep0 - 1] ?? 0
          progress.length++
          continue
        }
      } else if (decoder.bit(repeats[2], state) === 0) [rep0, rep1] = [rep1, rep0]
      else if (decoder.bit(repeats[3], state) === 0) [rep0, rep1, rep2] = [rep2, rep0, rep1]
      else [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2]
      length = repeatLengths.decode(decoder, posState)
      state = state < 7 ? 8 : 11
    }
    // A distance beyond the beginning is the mark of the end, or wrong.
    if (rep0 >= at) return
    const end = Math.min(at + length + minMatch, output.length)
    for (let target = at; target < end; target++) output[target] = output[target - rep0 - 1] ?? 0
    progress.length = end
  }
}

function literalAt(decoder: RangeDecoder, model: Uint16Array, start: number, matched: number | undefined): number {
  let symbol = 1
  if (matched !== undefined) {
    let rest = matched
    while (symbol < 0x100) {
      const expected = (rest >> 7) & 1
      rest = (rest << 1) & 0xff
      const bit = decoder.bit(model, start + ((1 + expected) << 8) + symbol)
      symbol = (symbol << 1) | bit
      if (bit !== expected) break
    }
  }
  while (symbol < 0x100) symbol = (symbol << 1) | decoder.bit(model, start + symbol)
  return symbol & 0xff
}

function openDistances(decoder: RangeDecoder): (length: number) => number {
  const slots = probabilities(4 << posSlotBits)
  const special = probabilities(1 + 128 - endPosModel)
  const align = probabilities(1 << alignBits)
  return (length) => {
    const slot = decoder.tree(slots, Math.min(length, 3) << posSlotBits, posSlotBits)
    if (slot < 4) return slot
    const directBits = (slot >> 1) - 1
    const base = (2 | (slot & 1)) * 2 ** directBits
    if (slot < endPosModel) return base + decoder.reverseTree(special, base - slot, directBits)
    return base + decoder.directBits(directBits - alignBits) * 2 ** alignBits + decoder.reverseTree(align, 0, alignBits)
  }
}

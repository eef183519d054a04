// Node offers BLAKE2b only with 64 bytes of output. minisign protects its secret keys with a checksum of 32 bytes, which
// is another hash, not a part of the longer one (RFC 7693).

const initialState = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]

/** The order in which each round mixes in the words of the message. The last two rounds repeat the first two. */
const wordOrders = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]
const rounds = 12

/** The columns and then the diagonals of the state, which each round mixes. */
const lanes: [number, number, number, number][] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
]

const blockBytes = 128
const rotateRight = (word: bigint, bits: bigint) => BigInt.asUintN(64, (word >> bits) | (word << (64n - bits)))

/** The BLAKE2b hash of a message of one block at most. */
export function blake2bOfBlock(message: Buffer, outputBytes: number): Buffer {
  if (message.length > blockBytes) throw new Error('The message is longer than one block.')
  const block = Buffer.alloc(blockBytes)
  message.copy(block)
  const words = Array.from({ length: 16 }, (_, index) => block.readBigUInt64LE(index * 8))
  // The parameters: the length of the output, no key, one tree.
  const chained = initialState.map((word, index) => (index === 0 ? word ^ 0x01010000n ^ BigInt(outputBytes) : word))
  const state = [...chained, ...initialState]
  const at = (values: readonly bigint[], index: number) => values[index] ?? 0n
  state[12] = at(state, 12) ^ BigInt(message.length)
  // This is the last block.
  state[14] = at(state, 14) ^ 0xffffffffffffffffn
  for (let round = 0; round < rounds; round++) {
    const order = wordOrders[round % wordOrders.length] ?? []
    for (const [index, [a, b, c, d]] of lanes.entries()) {
      const word = (offset: number) => at(words, order[index * 2 + offset] ?? 0)
      state[a] = BigInt.asUintN(64, at(state, a) + at(state, b) + word(0))
      state[d] = rotateRight(at(state, d) ^ at(state, a), 32n)
      state[c] = BigInt.asUintN(64, at(state, c) + at(state, d))
      state[b] = rotateRight(at(state, b) ^ at(state, c), 24n)
      state[a] = BigInt.asUintN(64, at(state, a) + at(state, b) + word(1))
      state[d] = rotateRight(at(state, d) ^ at(state, a), 16n)
      state[c] = BigInt.asUintN(64, at(state, c) + at(state, d))
      state[b] = rotateRight(at(state, b) ^ at(state, c), 63n)
    }
  }
  const output = Buffer.alloc(64)
  for (const [index, word] of chained.entries())
    output.writeBigUInt64LE(word ^ at(state, index) ^ at(state, index + 8), index * 8)
  return output.subarray(0, outputBytes)
}

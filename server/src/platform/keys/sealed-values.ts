import { sealBytes, unsealBytes } from '../sealing.ts'

/** The keys of secret values by generation. */
export type ValueKeys = ReadonlyMap<number, Buffer>

const mark = Buffer.from('MKV1')
const prefixLength = mark.length + 4

/** The first bytes of every value that was sealed with the key of this generation. */
export function sealedValuePrefix(generation: number): Buffer {
  const prefix = Buffer.alloc(prefixLength)
  mark.copy(prefix)
  prefix.writeUInt32BE(generation, mark.length)
  return prefix
}

/** Encrypts a value with the key of this generation. The result names the generation. */
export function sealWithGeneration(keys: ValueKeys, generation: number, text: string): Buffer {
  const prefix = sealedValuePrefix(generation)
  return Buffer.concat([prefix, sealBytes(requireKey(keys, generation), Buffer.from(text), prefix)])
}

/** The generation of the key that sealed the value. Values of versions before key ids were sealed with the first key. */
export function generationOf(sealed: Buffer): number {
  return sealed.subarray(0, mark.length).equals(mark) ? sealed.readUInt32BE(mark.length) : 1
}

/** Decrypts a value. Throws if its key is unknown or if the value was changed. */
export function unsealWithGeneration(keys: ValueKeys, sealed: Buffer): string {
  const [prefix, content] = [sealed.subarray(0, prefixLength), sealed.subarray(prefixLength)]
  if (!prefix.subarray(0, mark.length).equals(mark)) return unsealBytes(requireKey(keys, 1), sealed).toString('utf8')
  try {
    return unsealBytes(requireKey(keys, generationOf(sealed)), content, prefix).toString('utf8')
  } catch (error) {
    // A value without a key id begins with random bytes, one in four billion times with the mark.
    const first = keys.get(1)
    if (!first) throw error
    return unsealBytes(first, sealed).toString('utf8')
  }
}

function requireKey(keys: ValueKeys, generation: number): Buffer {
  const key = keys.get(generation)
  if (!key) throw new Error(`The key ${generation} of secret values does not exist.`)
  return key
}

import { createPublicKey, type KeyObject } from 'node:crypto'

/** A public key of minisign: Ed25519, with a random id that signatures name. */
export type PublicKey = {
  /** Sixteen hexadecimal digits, as minisign shows them. */
  keyId: string
  /** The line of the key file that contains the key. It identifies the key. */
  text: string
  key: KeyObject
}

/** A key or signature that is not in the format of minisign. The message is the end of a sentence about it. */
export class MinisignFault extends Error {
  override name = 'MinisignFault'
}

/** The algorithm of all keys, and of signatures of a text itself. */
export const plainAlgorithm = 'Ed'
export const keyIdBytes = 8
const publicKeyBytes = 32
/** What precedes an Ed25519 key in the DER encoding of a public key. */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** The id of a key as minisign shows it: a little-endian number. */
export function formatKeyId(bytes: Buffer): string {
  return Buffer.from(bytes).reverse().toString('hex').toUpperCase()
}

export function toPublicKey(keyId: Buffer, bytes: Buffer): PublicKey {
  return {
    keyId: formatKeyId(keyId),
    text: Buffer.concat([Buffer.from(plainAlgorithm), keyId, bytes]).toString('base64'),
    key: createPublicKey({ key: Buffer.concat([derPrefix, bytes]), format: 'der', type: 'spki' }),
  }
}

/** Whether a text can only be meant as a key, not as the name of a file. */
export function looksLikePublicKey(text: string): boolean {
  return /^RW[A-Za-z0-9+/]{54}$/.test(text)
}

/** Parses a key, or the content of a key file. */
export function parsePublicKey(content: string): PublicKey {
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('untrusted comment:'))
  const [line = '', ...more] = lines.map((one) => one.trim())
  if (more.length > 0 || !looksLikePublicKey(line)) throw new MinisignFault('is not a public key of minisign')
  const bytes = Buffer.from(line, 'base64')
  const at = plainAlgorithm.length
  if (bytes.length !== at + keyIdBytes + publicKeyBytes || bytes.toString('latin1', 0, at) !== plainAlgorithm)
    throw new MinisignFault('is not a public key of minisign')
  return toPublicKey(bytes.subarray(at, at + keyIdBytes), bytes.subarray(at + keyIdBytes))
}

/** The content of a key file. */
export function formatPublicKey({ keyId, text }: PublicKey): string {
  return `untrusted comment: minisign public key ${keyId}\n${text}\n`
}

import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** A public key of minisign. The text identifies it; the id is what minisign shows. */
export type PublicKey = { text: string; keyId: string; key: KeyObject }

const keyPattern = /^RW[A-Za-z0-9+/]{54}$/
/** What precedes an Ed25519 key in the DER encoding of a public key. */
const derPrefix = '302a300506032b6570032100'

/** Parses one line of a key file; undefined if it is not a key. */
export function parsePublicKey(text: string): PublicKey | undefined {
  if (!keyPattern.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 42 || bytes.toString('latin1', 0, 2) !== 'Ed') return undefined
  const encoded = Buffer.concat([Buffer.from(derPrefix, 'hex'), bytes.subarray(10)])
  const key = createPublicKey({ key: encoded, format: 'der', type: 'spki' })
  return { text, keyId: keyIdOf(bytes), key }
}

/** The one of these keys that has signed the content with the signature file; undefined if none has. */
export function findSigner(keys: readonly PublicKey[], content: Buffer, signatureFile: string): PublicKey | undefined {
  const [comment = '', line = '', trusted = '', globalLine = ''] = signatureFile.split(/\r?\n/)
  const bytes = Buffer.from(line, 'base64')
  const algorithm = bytes.toString('latin1', 0, 2)
  const isKnown = algorithm === 'ED' || algorithm === 'Ed'
  const trustedPrefix = 'trusted comment: '
  if (!comment.startsWith('untrusted comment:') || !trusted.startsWith(trustedPrefix)) return undefined
  if (!isKnown || bytes.length !== 74) return undefined
  const signature = bytes.subarray(10)
  const global = Buffer.concat([signature, Buffer.from(trusted.slice(trustedPrefix.length))])
  // minisign signs the hash of the content; earlier versions signed the content itself.
  const signed = algorithm === 'ED' ? createHash('blake2b512').update(content).digest() : content
  return keys.find(
    ({ key, keyId }) =>
      keyId === keyIdOf(bytes) &&
      verify(null, signed, key, signature) &&
      verify(null, global, key, Buffer.from(globalLine, 'base64')),
  )
}

/** The id follows the two letters of the algorithm, as a little-endian number. */
function keyIdOf(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(2, 10)).reverse().toString('hex').toUpperCase()
}

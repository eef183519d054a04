import { createHash, verify } from 'node:crypto'
import { formatKeyId, keyIdBytes, MinisignFault, type PublicKey, plainAlgorithm } from './public-key.ts'

/** A signature file of minisign. */
export type Signature = {
  keyId: string
  /** Whether the BLAKE2b-512 hash of the content is signed, as minisign does now, or the content itself. */
  isOfHash: boolean
  signature: Buffer
  trustedComment: string
  /** Signs the signature together with the trusted comment. */
  globalSignature: Buffer
}

export const hashedAlgorithm = 'ED'
export const trustedCommentPrefix = 'trusted comment: '
const signatureBytes = 64

export function parseSignature(content: string): Signature {
  const [comment = '', signed = '', trusted = '', global = '', ...more] = content.replace(/\n$/, '').split(/\r?\n/)
  const isWhole =
    more.length === 0 && comment.startsWith('untrusted comment:') && trusted.startsWith(trustedCommentPrefix)
  const bytes = decode(signed, plainAlgorithm.length + keyIdBytes + signatureBytes)
  const globalSignature = decode(global, signatureBytes)
  const algorithm = bytes?.toString('latin1', 0, plainAlgorithm.length)
  if (!isWhole || !bytes || !globalSignature || (algorithm !== plainAlgorithm && algorithm !== hashedAlgorithm))
    throw new MinisignFault('is not a signature of minisign')
  return {
    keyId: formatKeyId(bytes.subarray(plainAlgorithm.length, plainAlgorithm.length + keyIdBytes)),
    isOfHash: algorithm === hashedAlgorithm,
    signature: bytes.subarray(plainAlgorithm.length + keyIdBytes),
    trustedComment: trusted.slice(trustedCommentPrefix.length),
    globalSignature,
  }
}

function decode(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === length && bytes.toString('base64') === text ? bytes : undefined
}

/** Whether the key has signed the content, and the trusted comment with it. */
export function isSignedBy({ key, keyId }: PublicKey, content: Buffer, signature: Signature): boolean {
  if (signature.keyId !== keyId) return false
  const signed = signature.isOfHash ? hashForSignature(content) : content
  const global = Buffer.concat([signature.signature, Buffer.from(signature.trustedComment)])
  return verify(null, signed, key, signature.signature) && verify(null, global, key, signature.globalSignature)
}

/** The hash that stands for the content in a signature. */
export function hashForSignature(content: Buffer): Buffer {
  return createHash('blake2b512').update(content).digest()
}

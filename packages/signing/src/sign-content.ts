import { sign } from 'node:crypto'
import type { SecretKey } from './secret-key.ts'
import { hashedAlgorithm, hashForSignature, trustedCommentPrefix } from './signature.ts'

/** Signs content and returns the signature file, as current versions of minisign write it. */
export function signContent({ keyId, key, publicKey }: SecretKey, content: Buffer, subject: string): string {
  const signature = sign(null, hashForSignature(content), key)
  const trustedComment = `timestamp:${Math.floor(Date.now() / 1000)}\tfile:${subject}\thashed`
  const globalSignature = sign(null, Buffer.concat([signature, Buffer.from(trustedComment)]), key)
  const signed = Buffer.concat([Buffer.from(hashedAlgorithm), keyId, signature])
  return [
    `untrusted comment: signature with the key ${publicKey.keyId}`,
    signed.toString('base64'),
    trustedCommentPrefix + trustedComment,
    globalSignature.toString('base64'),
    '',
  ].join('\n')
}

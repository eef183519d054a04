import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

export type AnchorKey = {
  /** The public part, as base64 of 32 bytes. */
  publicKey: string
  sign(text: string): string
}

// What precedes the 32 bytes of an Ed25519 key in DER (RFC 8410).
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Makes the Ed25519 key that signs anchors from 32 secret bytes. */
export function openAnchorKey(seed: Buffer): AnchorKey {
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key as unknown as Parameters<typeof createPublicKey>[0])
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length).toString('base64'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  }
}

/** Undefined if the text is not a public key. */
export function parseAnchorPublicKey(publicKey: string): KeyObject | undefined {
  const bytes = Buffer.from(publicKey, 'base64')
  if (bytes.length !== 32) return undefined
  return createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' })
}

export function hasValidSignature(key: KeyObject, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
}

/** Links an anchor to the one before it. */
export function hashAnchor(document: string): string {
  return createHash('sha256').update(document).digest('hex')
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const nonceLength = 12
const tagLength = 16

/**
 * Encrypts with AES-256-GCM. The result is nonce, ciphertext and tag. The context is not part of it, but decryption
 * requires the same one.
 */
export function sealBytes(key: Buffer, content: Buffer, context: Buffer | string = ''): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts sealed bytes. Throws if the key or the context is wrong, or if the sealed bytes were changed. */
export function unsealBytes(key: Buffer, sealed: Buffer, context: Buffer | string = ''): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength))
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tagLength))
  return Buffer.concat([decipher.update(sealed.subarray(nonceLength, -tagLength)), decipher.final()])
}

/** Encrypts a text. */
export function seal(key: Buffer, text: string): Buffer {
  return sealBytes(key, Buffer.from(text))
}

/** Decrypts a sealed text. Throws if the key is wrong or the sealed text was changed. */
export function unseal(key: Buffer, sealed: Buffer): string {
  return unsealBytes(key, sealed).toString('utf8')
}

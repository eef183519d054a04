import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from 'node:crypto'

/**
 * An encrypted backup is the magic, the length of the header (four bytes, big-endian), the header as JSON, and chunks of
 * 64 KiB, each encrypted with AES-256-GCM and followed by its tag of 16 bytes. The nonce of a chunk contains its number
 * and whether it is the last one, so chunks can be neither reordered nor cut off. Each file has a key of its own.
 */
export const encryptionMagic = Buffer.from('MUSTENC1')
export const plainChunkLength = 64 * 1024
export const tagLength = 16
export const maxHeaderLength = 1024

/** What a backup is encrypted with: the key file of the service, or a passphrase. */
export type BackupSecret =
  | { kind: 'key file'; id: string; derive(salt: Buffer): Buffer }
  | { kind: 'passphrase'; passphrase: string }

export type EncryptionHeader = { kind: BackupSecret['kind']; keyFileId?: string; salt: string }

// Takes half a second and 128 MiB, for everybody who guesses as well.
const scryptOptions = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** The key of the file. The header is part of it: a changed header leads to another key. */
export function deriveFileKey(secret: BackupSecret, salt: Buffer, header: Buffer): Buffer {
  const key = secret.kind === 'key file' ? secret.derive(salt) : scryptSync(secret.passphrase, salt, 32, scryptOptions)
  return createHmac('sha256', key).update(header).digest()
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

function encryptChunk(key: Buffer, number: number, isLast: boolean, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast))
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Throws if the key is wrong, or if the chunk was changed or belongs elsewhere. */
export function decryptChunk(key: Buffer, number: number, isLast: boolean, chunk: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast))
  decipher.setAuthTag(chunk.subarray(-tagLength))
  return Buffer.concat([decipher.update(chunk.subarray(0, -tagLength)), decipher.final()])
}

/** Yields the encrypted file. Without a secret, yields the content as it is. */
export async function* encryptBackup(
  content: AsyncIterable<Buffer>,
  secret: BackupSecret | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  if (!secret) return yield* content
  const salt = randomBytes(32)
  const header = Buffer.from(JSON.stringify(toHeader(secret, salt)))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  yield Buffer.concat([encryptionMagic, length, header])
  const key = deriveFileKey(secret, salt, header)
  let number = 0
  let rest = Buffer.alloc(0)
  for await (const part of content) {
    rest = Buffer.concat([rest, part])
    // The last chunk is marked, so a full one waits until more follows.
    for (; rest.length > plainChunkLength; rest = rest.subarray(plainChunkLength))
      yield encryptChunk(key, number++, false, rest.subarray(0, plainChunkLength))
  }
  yield encryptChunk(key, number, true, rest)
}

function toHeader(secret: BackupSecret, salt: Buffer): EncryptionHeader {
  const keyFile = secret.kind === 'key file' ? { keyFileId: secret.id } : {}
  return { kind: secret.kind, ...keyFile, salt: salt.toString('base64') }
}

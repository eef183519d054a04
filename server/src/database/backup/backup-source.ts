import type { FileHandle } from 'node:fs/promises'
import { BackupError } from './backup-error.ts'
import {
  type BackupSecret,
  decryptChunk,
  deriveFileKey,
  type EncryptionHeader,
  encryptionMagic,
  maxHeaderLength,
  plainChunkLength,
  tagLength,
} from './encryption.ts'

/** A backup file that can be read several times. What is read is decrypted. */
export type BackupSource = { size: number; chunks(): AsyncGenerator<Buffer, void, undefined> }

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

export const chunkSize = 128 * 1024

export function damagedBackup(what: string): BackupError {
  return new BackupError(`The backup file is damaged: ${what}. Nothing was changed.`)
}

/** Recognises plain and encrypted backups. Throws if none of the secrets opens the file. */
export async function openBackupSource(file: FileHandle, secrets: readonly BackupSecret[] = []): Promise<BackupSource> {
  const { size } = await file.stat()
  const start = await readAt(file, 0, encryptionMagic.length)
  if (start.subarray(0, zstdMagic.length).equals(zstdMagic))
    return { size, chunks: () => readRange(file, 0, size, chunkSize) }
  if (start.equals(encryptionMagic)) return openEncrypted(file, size, secrets)
  throw new BackupError('The file is not a backup of Muster.')
}

async function openEncrypted(file: FileHandle, size: number, secrets: readonly BackupSecret[]): Promise<BackupSource> {
  const lengthAt = encryptionMagic.length
  const lengthBytes = await readAt(file, lengthAt, 4)
  const headerLength = lengthBytes.length === 4 ? lengthBytes.readUInt32BE() : 0
  const headerBytes = await readAt(file, lengthAt + 4, Math.min(headerLength, maxHeaderLength))
  const header = parseHeader(headerBytes)
  const secret = findSecret(header, secrets)
  const key = deriveFileKey(secret, Buffer.from(header.salt, 'base64'), headerBytes)
  const bodyStart = lengthAt + 4 + headerLength
  const chunkCount = Math.ceil((size - bodyStart) / (plainChunkLength + tagLength))
  const plainSize = size - bodyStart - chunkCount * tagLength
  if (chunkCount < 1 || plainSize < 0) throw damagedBackup('it ends too early')
  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    let number = 0
    for await (const chunk of readRange(file, bodyStart, size, plainChunkLength + tagLength)) {
      yield decrypt(key, number, number === chunkCount - 1, chunk, secret)
      number++
    }
  }
  return { size: plainSize, chunks }
}

function decrypt(key: Buffer, number: number, isLast: boolean, chunk: Buffer, { kind }: BackupSecret): Buffer {
  try {
    return decryptChunk(key, number, isLast, chunk)
  } catch {
    if (number === 0 && kind === 'passphrase')
      throw new BackupError('The passphrase is wrong, or the backup file is damaged. Nothing was changed.')
    throw damagedBackup('it was truncated or changed after it had been written')
  }
}

function parseHeader(bytes: Buffer): EncryptionHeader {
  try {
    const header = JSON.parse(bytes.toString('utf8')) as EncryptionHeader
    if (typeof header.salt === 'string') return header
  } catch {
    // Reported below.
  }
  throw damagedBackup('its header cannot be read')
}

function findSecret({ kind, keyFileId }: EncryptionHeader, secrets: readonly BackupSecret[]): BackupSecret {
  const found = secrets.find(
    (secret) => secret.kind === kind && (secret.kind === 'passphrase' || secret.id === keyFileId),
  )
  if (found) return found
  throw new BackupError(
    kind === 'passphrase'
      ? 'The backup is encrypted with a passphrase. Add --passphrase-file FILE. Nothing was changed.'
      : `The backup is encrypted with the key file ${keyFileId}. Set MUSTER_KEY_FILE to that file, or add ` +
          '--key-file FILE. Nothing was changed.',
  )
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Yields chunks of exactly the given length; the last one may be shorter. Unlike a stream, it leaves the file open. */
async function* readRange(file: FileHandle, start: number, end: number, length: number) {
  for (let position = start; position < end; ) {
    const wanted = Math.min(length, end - position)
    const chunk = Buffer.allocUnsafe(wanted)
    for (let filled = 0; filled < wanted; ) {
      const { bytesRead } = await file.read(chunk, filled, wanted - filled, position + filled)
      if (bytesRead === 0) throw damagedBackup('it was truncated while it was read')
      filled += bytesRead
    }
    position += wanted
    yield chunk
  }
}

import { randomUUID } from 'node:crypto'
import { constants, type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import type { IHasher } from 'hash-wasm'
import type { Database } from '../../database/connect.ts'
import type { Configuration } from '../../platform/configuration.ts'
import { requireRoom } from './limits.ts'
import {
  offsetMismatch,
  storeFull,
  uploadHashMismatch,
  uploadInterrupted,
  uploadLongerThanAnnounced,
} from './problems.ts'
import { openRunningHash } from './running-hash.ts'
import { claimTransfer, confirmTransfer, releaseTransfer, type UploadTransfer } from './transfer-rows.ts'
import type { TransferState } from './tus.ts'
import { makeFolder, uploadPathOf } from './upload-files.ts'
import { watchUpload } from './watch-upload.ts'

/** After this many bytes, what has arrived is flushed and recorded: a crash loses no more than this. */
const bytesPerConfirmation = 64 * 1024 * 1024

export type Reception = {
  db: Database
  configuration: Configuration
  uploadId: string
  offset: number
  bytes: Readable
  /** Throws a problem if the principal has lost its right meanwhile. */
  requireAccess(): Promise<void>
}

type Writer = {
  file: FileHandle
  hash: IHasher
  position: number
  confirmed: number
  /** Whether a write has failed after its bytes were hashed. */
  isHashAhead: boolean
}

/** Stores the bytes of a request, and records how far the upload is, even if the request breaks off. */
export async function receiveBytes(reception: Reception): Promise<TransferState> {
  const { db, configuration, uploadId, offset } = reception
  await requireRoom(configuration)
  const transfer = await claimTransfer(db, uploadId, { writerId: randomUUID(), offset })
  try {
    const file = await openUpload(configuration.packageStore, uploadId)
    try {
      return await continueFile(reception, transfer, file)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw toUploadProblem(error)
  } finally {
    // If this fails, the claim ends by itself.
    await releaseTransfer(db, transfer).catch(() => undefined)
  }
}

async function openUpload(store: string, uploadId: string): Promise<FileHandle> {
  const path = uploadPathOf(store, uploadId)
  await makeFolder(dirname(path))
  return open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
}

async function continueFile(reception: Reception, transfer: UploadTransfer, file: FileHandle): Promise<TransferState> {
  const { received } = transfer
  if ((await file.stat()).size < received) {
    // The disk has lost what was recorded.
    await recordPosition(reception, transfer, { received: 0, hashState: null })
    throw offsetMismatch({ uploadId: transfer.uploadId, received: 0 }).withHeaders({ 'upload-offset': '0' })
  }
  // What an earlier request has written and not recorded.
  await file.truncate(received)
  const hash = await openRunningHash(file, received, transfer.hashState)
  const writer: Writer = { file, hash, position: received, confirmed: received, isHashAhead: false }
  const fault = await writeAll(reception, transfer, writer)
  const state = writer.isHashAhead ? undefined : await confirm(reception, transfer, writer)
  if (fault !== undefined || !state) throw fault
  return state
}

/** Writes the bytes until they end. Returns why they ended too early, if they did. */
async function writeAll(reception: Reception, transfer: UploadTransfer, writer: Writer): Promise<unknown> {
  const watch = watchUpload({ ...reception, transfer })
  try {
    // Destroying the stream would close the connection before the answer is sent.
    for await (const chunk of reception.bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      watch.noteBytes()
      if (writer.position + chunk.length > transfer.size) return uploadLongerThanAnnounced()
      await write(writer, chunk)
      if (writer.position - writer.confirmed < bytesPerConfirmation) continue
      await confirm(reception, transfer, writer)
      await requireRoom(reception.configuration)
    }
    return undefined
  } catch (error) {
    return watch.fault() ?? error
  } finally {
    watch.end()
  }
}

/** Hashes while the operating system writes. */
async function write(writer: Writer, chunk: Buffer): Promise<void> {
  const written = writeFully(writer.file, chunk, writer.position)
  writer.isHashAhead = true
  writer.hash.update(chunk)
  await written
  writer.isHashAhead = false
  writer.position += chunk.length
}

async function writeFully(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done)
    done += bytesWritten
  }
}

/** Flushes what was written and records it. */
async function confirm(reception: Reception, transfer: UploadTransfer, writer: Writer): Promise<TransferState> {
  await writer.file.datasync()
  const { position: received, hash } = writer
  writer.confirmed = received
  if (received < transfer.size)
    return recordPosition(reception, transfer, { received, hashState: received > 0 ? Buffer.from(hash.save()) : null })
  const sha256 = hash.digest('hex')
  if (sha256 === (transfer.expectedSha256 ?? sha256))
    return recordPosition(reception, transfer, { received, hashState: null, sha256: Buffer.from(sha256, 'hex') })
  await recordPosition(reception, transfer, { received: 0, hashState: null })
  throw uploadHashMismatch({ sha256 })
}

async function recordPosition(
  { db, configuration }: Reception,
  transfer: UploadTransfer,
  position: { received: number; hashState: Buffer | null; sha256?: Buffer },
): Promise<TransferState> {
  const expiresAtUtc = await confirmTransfer(db, transfer, { ...position, hours: configuration.uploads.hours })
  if (!expiresAtUtc) throw uploadInterrupted()
  return { received: position.received, size: transfer.size, expiresAtUtc }
}

const shortages = ['ENOSPC', 'EDQUOT']
/** What a stream fails with if its client disconnects. */
const disconnections = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE', 'ABORT_ERR']

function toUploadProblem(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? ''
  if (shortages.includes(code)) return storeFull()
  return disconnections.includes(code) ? uploadInterrupted() : error
}

import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export type Content = { sha256: string; size: number }

/** Requests the content from the given byte. If `continues` is false, the body starts at the first byte instead. */
export type Transfer = (from: number) => Promise<{ body: AsyncIterable<Uint8Array> | null; continues: boolean }>

export class ContentError extends Error {
  override name = 'ContentError'
  /** Whether the transfer ended early and can be resumed. */
  readonly isResumable: boolean

  constructor(message: string, isResumable: boolean) {
    super(message)
    this.isResumable = isResumable
  }
}

export type ContentStore = ReturnType<typeof openContentStore>

/** Opens a store of files by the SHA-256 of their content. A file gets its name only after its content was verified. */
export function openContentStore(directory: string) {
  const pathOf = (sha256: string) => join(directory, 'content', sha256.slice(0, 2), requireHash(sha256))
  const partialPathOf = (sha256: string) => join(directory, 'incoming', requireHash(sha256))

  return {
    pathOf,

    async has({ sha256, size }: Content): Promise<boolean> {
      const found = await stat(pathOf(sha256)).catch(() => undefined)
      return found?.size === size
    },

    /** Downloads what is missing of a file, verifies the whole and stores it. Returns the number of bytes transferred. */
    async receive(content: Content, transfer: Transfer): Promise<number> {
      const partialPath = partialPathOf(content.sha256)
      await mkdir(join(directory, 'incoming'), { recursive: true })
      const received = await appendTo(partialPath, content, transfer).catch(async (error: NodeJS.ErrnoException) => {
        // A file that does not fit is deleted so that there is space for the index.
        if (error.code === 'ENOSPC') await rm(partialPath, { force: true })
        throw error
      })
      await mkdir(join(pathOf(content.sha256), '..'), { recursive: true })
      await rename(partialPath, pathOf(content.sha256))
      return received
    },

    /** Deletes all files except those with the given hashes, and all partial files. */
    async deleteExcept(wanted: ReadonlySet<string>): Promise<void> {
      await rm(join(directory, 'incoming'), { recursive: true, force: true })
      const names = await readdir(join(directory, 'content'), { recursive: true }).catch(() => [])
      const unwanted = names.flatMap((name) => name.split(/[\\/]/)[1] ?? []).filter((sha256) => !wanted.has(sha256))
      for (const sha256 of unwanted) await rm(pathOf(sha256), { force: true })
    },
  }
}

async function appendTo(partialPath: string, { sha256, size }: Content, transfer: Transfer): Promise<number> {
  const file = await open(partialPath, 'a')
  try {
    const existing = (await file.stat()).size
    const kept = existing <= size ? existing : 0
    // Computed before the transfer starts, because the master server closes a connection that is not read.
    const hashOfKept = await hashOf(partialPath, kept)
    // The file may be complete, if only its verification was interrupted.
    const { body, continues } = kept === size ? { body: null, continues: true } : await transfer(kept)
    let position = continues ? kept : 0
    const hash = continues ? hashOfKept : createHash('sha256')
    if (!continues) await file.truncate(0)
    let received = 0
    for await (const chunk of body ?? []) {
      position += chunk.length
      if (position > size) throw await discardInvalid(partialPath, 'is longer than its package states')
      hash.update(chunk)
      await file.appendFile(chunk)
      received += chunk.length
    }
    if (position < size)
      throw new ContentError(`The transfer of ${sha256} was interrupted after ${position} of ${size} bytes.`, true)
    if (hash.digest('hex') !== sha256) throw await discardInvalid(partialPath, 'does not match its SHA-256')
    await file.sync()
    return received
  } finally {
    await file.close()
  }
}

/** Hashes become file names, so anything else must be rejected. */
function requireHash(sha256: string): string {
  if (!/^[\da-f]{64}$/.test(sha256)) throw new ContentError('The master server sent an invalid SHA-256.', false)
  return sha256
}

/** The hash of the first bytes of a file, not yet finished. */
async function hashOf(path: string, bytes: number): Promise<Hash> {
  const hash = createHash('sha256')
  if (bytes > 0) for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk)
  return hash
}

/** Deletes the partial file and returns the error to throw. */
async function discardInvalid(partialPath: string, reason: string): Promise<ContentError> {
  await rm(partialPath, { force: true })
  return new ContentError(`A file from the master server ${reason}.`, false)
}

import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export type Content = { sha256: string; size: number }

/** Continues a transfer from the given byte; tells whether what comes does begin there. */
export type Transfer = (from: number) => Promise<{ body: AsyncIterable<Uint8Array> | null; continues: boolean }>

export class ContentError extends Error {
  override name = 'ContentError'
  /** The transfer ended early and can be continued. */
  readonly isBroken: boolean

  constructor(message: string, isBroken: boolean) {
    super(message)
    this.isBroken = isBroken
  }
}

export type ContentStore = ReturnType<typeof contentStore>

/** Files by the SHA-256 of their content. What has its name here was whole and right when it was put there. */
export function contentStore(directory: string) {
  const pathOf = (sha256: string) => join(directory, 'content', sha256.slice(0, 2), hexadecimal(sha256))
  const partOf = (sha256: string) => join(directory, 'incoming', hexadecimal(sha256))

  return {
    pathOf,

    async has({ sha256, size }: Content): Promise<boolean> {
      const found = await stat(pathOf(sha256)).catch(() => undefined)
      return found?.size === size
    },

    /** Fetches the rest of what is there of it, checks the whole, and only then gives it its name. Returns the bytes. */
    async receive(content: Content, transfer: Transfer): Promise<number> {
      const part = partOf(content.sha256)
      await mkdir(join(directory, 'incoming'), { recursive: true })
      const received = await appendTo(part, content, transfer).catch(async (error: NodeJS.ErrnoException) => {
        // What does not fit gives its room back, so that at least the index can be written.
        if (error.code === 'ENOSPC') await rm(part, { force: true })
        throw error
      })
      await mkdir(join(pathOf(content.sha256), '..'), { recursive: true })
      await rename(part, pathOf(content.sha256))
      return received
    },

    /** Removes everything but the given contents, also what broken transfers left. */
    async keepOnly(kept: ReadonlySet<string>): Promise<void> {
      await rm(join(directory, 'incoming'), { recursive: true, force: true })
      const names = await readdir(join(directory, 'content'), { recursive: true }).catch(() => [])
      const left = names.flatMap((name) => name.split(/[\\/]/)[1] ?? []).filter((sha256) => !kept.has(sha256))
      for (const sha256 of left) await rm(pathOf(sha256), { force: true })
    },
  }
}

async function appendTo(part: string, { sha256, size }: Content, transfer: Transfer): Promise<number> {
  const file = await open(part, 'a')
  try {
    const there = (await file.stat()).size
    const kept = there <= size ? there : 0
    // Before the transfer begins, because the master server does not wait for ever for somebody who does not listen.
    const hashOfKept = await hashOf(part, kept)
    // All of it may be there, if nothing but its check was missing.
    const { body, continues } = kept === size ? { body: null, continues: true } : await transfer(kept)
    let position = continues ? kept : 0
    const hash = continues ? hashOfKept : createHash('sha256')
    if (!continues) await file.truncate(0)
    let received = 0
    for await (const piece of body ?? []) {
      position += piece.length
      if (position > size) throw await refused(part, `is longer`)
      hash.update(piece)
      await file.appendFile(piece)
      received += piece.length
    }
    if (position < size)
      throw new ContentError(`The transfer of ${sha256} broke off after ${position} of ${size} bytes.`, true)
    if (hash.digest('hex') !== sha256) throw await refused(part, 'has another content')
    await file.sync()
    return received
  } finally {
    await file.close()
  }
}

/** Hashes become names of files, so that nothing else may pass for one. */
function hexadecimal(sha256: string): string {
  if (!/^[\da-f]{64}$/.test(sha256)) throw new ContentError('A file has no SHA-256.', false)
  return sha256
}

/** The hash of the first bytes of a file, to be continued. */
async function hashOf(path: string, bytes: number): Promise<Hash> {
  const hash = createHash('sha256')
  if (bytes > 0) for await (const piece of createReadStream(path, { end: bytes - 1 })) hash.update(piece)
  return hash
}

async function refused(part: string, reason: string): Promise<ContentError> {
  await rm(part, { force: true })
  return new ContentError(`A file of the master server ${reason} than its package says.`, false)
}

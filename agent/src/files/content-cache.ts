import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDiskFull } from '../state/durable-file.ts'

export type Content = { sha256: string; size: number }

/** Continues a transfer from the given byte; tells whether what comes does begin there. */
export type Transfer = (from: number) => Promise<{ body: AsyncIterable<Uint8Array>; continues: boolean }>

/** What a source sent is not the file. Another source may have the right one. */
export class WrongContent extends Error {
  override name = 'WrongContent'
}

/** A transfer ended early; what has come is kept and can be continued. */
export class BrokenTransfer extends Error {
  override name = 'BrokenTransfer'
}

export type ContentCache = ReturnType<typeof contentCache>

const day = 24 * 60 * 60 * 1000

/** Files by the SHA-256 of their content. What has its name in the cache was whole and right when it was put there. */
export function contentCache(cache: string, incoming: string) {
  const pathOf = (sha256: string) => join(cache, sha256.slice(0, 2), sha256)
  const partOf = (sha256: string) => join(incoming, sha256)

  return {
    pathOf,

    /** Bytes that are still to be fetched. */
    async missing({ sha256, size }: Content): Promise<number> {
      const part = await stat(partOf(sha256)).catch(() => undefined)
      return Math.max(0, size - (part?.size ?? 0))
    },

    /** A command may have changed a file through its link in the folder of a package, so that each use looks again. */
    async has({ sha256, size }: Content): Promise<boolean> {
      const path = pathOf(sha256)
      const found = await stat(path).catch(() => undefined)
      if (!found) return false
      if (found.size === size && (await hashOf(path, size)).digest('hex') === sha256) {
        await utimes(path, new Date(), new Date())
        return true
      }
      await rm(path, { force: true })
      return false
    },

    /** Fetches what is missing of a file, checks the whole, and only then gives it its name. */
    async receive(content: Content, transfer: Transfer): Promise<void> {
      const part = partOf(content.sha256)
      try {
        await append(part, content, transfer)
        await mkdir(dirname(pathOf(content.sha256)), { recursive: true, mode: 0o700 })
        await rename(part, pathOf(content.sha256))
      } catch (error) {
        // What does not fit gives its room back, and what is wrong is of no use.
        if (error instanceof WrongContent || isDiskFull(error)) await rm(part, { force: true })
        throw error
      }
    },

    /** Removes what nobody has used for some days, also what broken transfers left. */
    async removeOlderThan(days: number): Promise<void> {
      const limit = Date.now() - days * day
      for (const folder of [cache, incoming])
        for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
          const path = join(entry.parentPath, entry.name)
          if (entry.isFile() && (await stat(path)).mtimeMs <= limit) await rm(path, { force: true })
        }
    },
  }
}

async function append(part: string, content: Content, transfer: Transfer): Promise<void> {
  const file = await open(part, 'a', 0o600)
  try {
    const there = (await file.stat()).size
    const isWhole = there === content.size
    const hash = isWhole
      ? await hashOf(part, there)
      : await writeTransfer(file, part, content, await transfer(there < content.size ? there : 0))
    if (hash.digest('hex') !== content.sha256) throw new WrongContent('its SHA-256 is another')
    await file.sync()
  } finally {
    await file.close()
  }
  // Packages say nothing about modes, and a command may want to run any of its files.
  await chmod(part, 0o755)
}

async function writeTransfer(
  file: FileHandle,
  part: string,
  { size }: Content,
  { body, continues }: Awaited<ReturnType<Transfer>>,
): Promise<Hash> {
  if (!continues) await file.truncate(0)
  let position = (await file.stat()).size
  const hash = await hashOf(part, position)
  for await (const piece of body) {
    position += piece.length
    if (position > size) throw new WrongContent(`it is longer than ${size} bytes`)
    hash.update(piece)
    await file.appendFile(piece)
  }
  if (position < size) throw new BrokenTransfer(`it broke off after ${position} of ${size} bytes`)
  return hash
}

/** The hash of the first bytes of a file, to be continued. */
async function hashOf(path: string, bytes: number): Promise<Hash> {
  const hash = createHash('sha256')
  if (bytes > 0) for await (const piece of createReadStream(path, { end: bytes - 1 })) hash.update(piece)
  return hash
}

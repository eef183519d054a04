import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDiskFull } from '../state/durable-file.ts'

export type Content = { sha256: string; size: number }

/** Starts or continues a transfer. `continues` says whether the body really begins at the given byte. */
export type Transfer = (from: number) => Promise<{ body: AsyncIterable<Uint8Array>; continues: boolean }>

/** A source sent something other than the file. Another source may have it. */
export class WrongContent extends Error {
  override name = 'WrongContent'
}

/** A transfer ended early. Received bytes are kept, and the transfer can be continued. */
export class BrokenTransfer extends Error {
  override name = 'BrokenTransfer'
}

export type ContentCache = ReturnType<typeof contentCache>

const day = 24 * 60 * 60 * 1000

/** Stores files by the SHA-256 of their content. A file gets its final name only when it is complete and verified. */
export function contentCache(cache: string, incoming: string) {
  const pathOf = (sha256: string) => join(cache, sha256.slice(0, 2), sha256)
  const partOf = (sha256: string) => join(incoming, sha256)

  return {
    pathOf,

    /** The number of bytes still to fetch. */
    async missing({ sha256, size }: Content): Promise<number> {
      const part = await stat(partOf(sha256)).catch(() => undefined)
      return Math.max(0, size - (part?.size ?? 0))
    },

    /** Verifies the hash on every use: a command may have changed the file through its link in a package folder. */
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

    /** Fetches the missing bytes of a file, verifies the whole file, and only then gives it its final name. */
    async receive(content: Content, transfer: Transfer): Promise<void> {
      const part = partOf(content.sha256)
      try {
        await append(part, content, transfer)
        await mkdir(dirname(pathOf(content.sha256)), { recursive: true, mode: 0o700 })
        await rename(part, pathOf(content.sha256))
      } catch (error) {
        // Frees the space of a file that does not fit, and removes one that is wrong.
        if (error instanceof WrongContent || isDiskFull(error)) await rm(part, { force: true })
        throw error
      }
    },

    /** Removes what was received of these files. */
    async discard(contents: readonly Content[]): Promise<void> {
      for (const { sha256 } of contents)
        for (const path of [pathOf(sha256), partOf(sha256)]) await rm(path, { force: true })
    },

    /** Removes files that were not used for this many days, including incomplete ones, except those with these hashes. */
    async removeOlderThan(days: number, kept: ReadonlySet<string>): Promise<void> {
      const limit = Date.now() - days * day
      for (const folder of [cache, incoming])
        for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
          const path = join(entry.parentPath, entry.name)
          if (!entry.isFile() || kept.has(entry.name)) continue
          if ((await stat(path)).mtimeMs <= limit) await rm(path, { force: true })
        }
    },
  }
}

async function append(part: string, content: Content, transfer: Transfer): Promise<void> {
  const file = await open(part, 'a', 0o600)
  try {
    const { size } = await file.stat()
    const kept = size <= content.size ? size : 0
    // Hashed before the source is asked: it would otherwise wait for somebody to read its response.
    const keptHash = await hashOf(part, kept)
    const hash =
      kept === content.size ? keptHash : await writeTransfer(file, content, { kept, keptHash }, await transfer(kept))
    if (hash.digest('hex') !== content.sha256) throw new WrongContent('its SHA-256 does not match')
    await file.sync()
  } finally {
    await file.close()
  }
  // Packages have no file modes, and a command may execute any file.
  await chmod(part, 0o755)
}

/** Writes a transfer behind the bytes that were kept, or in their place if it starts at the beginning. */
async function writeTransfer(
  file: FileHandle,
  { size }: Content,
  { kept, keptHash }: { kept: number; keptHash: Hash },
  { body, continues }: Awaited<ReturnType<Transfer>>,
): Promise<Hash> {
  let position = continues ? kept : 0
  const hash = continues ? keptHash : createHash('sha256')
  await file.truncate(position)
  for await (const chunk of body) {
    position += chunk.length
    if (position > size) throw new WrongContent(`it is longer than ${size} bytes`)
    hash.update(chunk)
    await file.appendFile(chunk)
  }
  if (position < size) throw new BrokenTransfer(`it was cut off after ${position} of ${size} bytes`)
  return hash
}

/** Hashes the first bytes of a file; the caller continues the hash. */
async function hashOf(path: string, bytes: number): Promise<Hash> {
  const hash = createHash('sha256')
  if (bytes > 0) for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk)
  return hash
}

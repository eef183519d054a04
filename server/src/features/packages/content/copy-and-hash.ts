import { createHash } from 'node:crypto'
import { chmod, constants, copyFile, type FileHandle, open } from 'node:fs/promises'
import { type HashedContent, hashContent, type OnRead, readChunks } from '@muster/package-format'

const readOnly = 0o444

/**
 * Copies an open file to a new file and flushes that to disk. The hash is that of the copy: somebody may write to the
 * source meanwhile, but nobody writes to the copy.
 */
export async function copyAndHash(source: FileHandle, target: string, onRead: OnRead): Promise<HashedContent> {
  if (await cloneFile(source, target)) return hashClone(target, onRead)
  return writeAndHash(readChunks(source), target, onRead)
}

/** Writes chunks to a new file and flushes that to disk. */
export async function writeAndHash(
  chunks: AsyncIterable<Uint8Array>,
  target: string,
  onRead: OnRead = () => {},
): Promise<HashedContent> {
  const copy = await open(target, 'wx', readOnly)
  try {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of chunks) {
      hash.update(chunk)
      await copy.writeFile(chunk)
      size += chunk.length
      onRead(chunk.length)
    }
    await copy.sync()
    return { size, sha256: hash.digest('hex') }
  } finally {
    await copy.close()
  }
}

/**
 * Makes a copy that shares its blocks with the source until one of them is written to, so it takes no space. Returns
 * false if the file system cannot do that. A hard link is not an alternative: it would change together with the source.
 */
async function cloneFile(source: FileHandle, target: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  try {
    // The descriptor, because the path of the source may have come to lead to another file.
    const path = `/proc/self/fd/${source.fd}`
    await copyFile(path, target, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
  } catch {
    return false
  }
  await chmod(target, readOnly)
  return true
}

async function hashClone(path: string, onRead: OnRead): Promise<HashedContent> {
  const clone = await open(path, 'r')
  try {
    const content = await hashContent(clone, onRead)
    await clone.sync()
    return content
  } finally {
    await clone.close()
  }
}

import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type HashedContent, type OnRead, PackageFault } from '@muster/package-format'
import { contentFolderOf, contentPathOf, incomingFolderOf } from './content-folder.ts'
import { copyAndHash, writeAndHash } from './copy-and-hash.ts'

/**
 * Copies an open file into the content folder, under the hash of the copy, and returns that hash. With `expectedHash`,
 * content with another hash is not stored. Content that exists is replaced by the same bytes: that repairs a damaged copy,
 * and a copy is never older than the last import of its file.
 */
export async function storeContent(
  store: string,
  source: FileHandle,
  { expectedHash, onRead = () => {} }: { expectedHash?: string; onRead?: OnRead } = {},
): Promise<HashedContent> {
  return storeIncoming(store, expectedHash, (incoming) => copyAndHash(source, incoming, onRead))
}

/** Writes a stream into the content folder, like `storeContent` does with a file. Other content is not stored. */
export async function receiveContent(
  store: string,
  chunks: AsyncIterable<Uint8Array>,
  { expectedHash }: { expectedHash: string },
): Promise<HashedContent> {
  return storeIncoming(store, expectedHash, (incoming) => writeAndHash(chunks, incoming))
}

async function storeIncoming(
  store: string,
  expectedHash: string | undefined,
  write: (incoming: string) => Promise<HashedContent>,
): Promise<HashedContent> {
  const incoming = join(incomingFolderOf(store), randomUUID())
  try {
    await makeContentFolder(incomingFolderOf(store))
    const copied = await write(incoming)
    if (expectedHash === undefined || copied.sha256 === expectedHash) await placeContent(store, incoming, copied)
    return copied
  } catch (error) {
    throw toStorageFault(error)
  } finally {
    await rm(incoming, { force: true })
  }
}

/** The last step so that a file with the name of a hash always has that content. */
async function placeContent(store: string, incoming: string, { sha256 }: HashedContent): Promise<void> {
  const path = contentPathOf(store, sha256)
  await makeContentFolder(dirname(path))
  await rename(incoming, path)
}

/** Only the service may read the copies: the folder of a package may be readable by fewer users than the store is. */
async function makeContentFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Whether the content exists and is complete. */
export async function hasContent(store: string, { sha256, size }: HashedContent): Promise<boolean> {
  return (await findContentSize(store, sha256)) === size
}

/** The size of the content with this hash; undefined if it is not stored. */
export async function findContentSize(store: string, sha256: string): Promise<number | undefined> {
  const found = await stat(contentPathOf(store, sha256)).catch(() => undefined)
  return found?.isFile() ? found.size : undefined
}

/** Throws if content is missing so that the job is attempted again. */
export async function requireContents(store: string, contents: readonly HashedContent[]): Promise<void> {
  for (const content of contents)
    if (!(await hasContent(store, content)))
      throw new Error(`The copy ${content.sha256} was deleted before it was in use.`)
}

/** Flushes the names of the contents to disk. The contents themselves are flushed when they are stored. */
export async function syncContentFolders(store: string, contents: readonly HashedContent[]): Promise<void> {
  const folders = new Set(contents.map(({ sha256 }) => dirname(contentPathOf(store, sha256))))
  for (const path of [...folders, contentFolderOf(store)]) {
    const folder = await open(path, 'r')
    await folder.sync().finally(() => folder.close())
  }
}

const reasons = new Map(
  Object.entries({
    ENOSPC: 'has no space left for copies of the files',
    EDQUOT: 'has no space left for copies of the files',
    EROFS: 'is read-only. The service stores copies of the files in it',
    EACCES: 'cannot be written: the service has no permission. It stores copies of the files in it',
    EPERM: 'cannot be written: the service has no permission. It stores copies of the files in it',
  }),
)

/** Turns an error that the operator can fix into a fault with the reason. */
function toStorageFault(error: unknown): unknown {
  const reason = reasons.get((error as NodeJS.ErrnoException).code ?? '')
  return reason ? new PackageFault(`The package store ${reason}.`, { cause: error }) : error
}

import { join } from 'node:path'
import { nameKey, withSlashes } from '@muster/package-format'

/**
 * The folder of the package store that has a copy of every imported file, named after its SHA-256. Only the service
 * writes to it. It is in the store because nodes share the store and nothing else.
 */
const contentFolderName = '.muster-content'

export const contentFolderOf = (store: string) => join(store, contentFolderName)

/** The folder of copies that are not complete yet. */
export const incomingFolderOf = (store: string) => join(contentFolderOf(store), 'incoming')

export const isContentHash = (name: string) => /^[\da-f]{64}$/.test(name)

/** Hashes become file names, so anything else is refused. */
export function contentPathOf(store: string, sha256: string): string {
  if (!isContentHash(sha256)) throw new Error('A SHA-256 in lower-case hexadecimal digits was expected.')
  return join(contentFolderOf(store), sha256.slice(0, 2), sha256)
}

/**
 * The folder of the package store with what people upload, and with the folders of packages that were made of it. Only the
 * service writes to it, and deletes there what nothing refers to.
 */
export const uploadsFolderName = '.muster-uploads'

/** Whether a path below the package store leads to the content folder, on any file system. */
export const isInContentFolder = (path: string) => isIn(contentFolderName, path)

/** The same for the folder of uploads. */
export const isInUploadsFolder = (path: string) => isIn(uploadsFolderName, path)

function isIn(folder: string, path: string): boolean {
  const [first = ''] = withSlashes(path).split('/')
  return nameKey(first) === nameKey(folder)
}

import { createHash } from 'node:crypto'
import { constants, type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { formatPath, pathFault, withSlashes } from '@muster/package-format'
import { isResourceExhausted } from '../../../platform/resource-exhaustion.ts'
import { isInContentFolder } from '../../packages/content/content-folder.ts'
import { DocumentFault } from './patch-document.ts'

/** Larger than any document that a vendor has published. */
const maxFileBytes = 64 * 1024 * 1024

export type CatalogFile = { folder: string; path: string; isLink: boolean }

/** The JSON files at a path below the package store: one file, or all files of a folder and its subfolders, by name. */
export async function listCatalogFiles(store: string, path: string): Promise<CatalogFile[]> {
  const fault = pathFault(path)
  if (fault) throw new DocumentFault(`The path ${fault}.`)
  const missing = `${formatPath(path)} does not exist in the package store.`
  if (isInContentFolder(path)) throw new DocumentFault(missing)
  const root = await realpath(store).catch((error: unknown) => {
    throw toDocumentFault(error, 'The package store does not exist.')
  })
  const expected = join(root, withSlashes(path))
  const found = await realpath(expected).catch((error: unknown) => {
    throw toDocumentFault(error, missing)
  })
  if (found !== expected)
    throw new DocumentFault(`${formatPath(path)} is reached through a link, or is spelled differently on disk.`)
  if ((await lstat(found)).isFile())
    return [{ folder: dirname(found), path: relative(dirname(found), found), isLink: false }]
  const entries = await readdir(found, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.name.toLowerCase().endsWith('.json') && !entry.isDirectory())
    .map((entry) => ({
      folder: found,
      path: relative(found, join(entry.parentPath, entry.name)),
      isLink: !entry.isFile(),
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Opens a file for reading. Does not follow links. */
export async function openCatalogFile({ folder, path, isLink }: CatalogFile): Promise<FileHandle> {
  if (isLink) throw new DocumentFault('is a link')
  return open(join(folder, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw toDocumentFault(error, `cannot be read (${(error as NodeJS.ErrnoException).code})`)
    },
  )
}

/** Reads a file and hashes its content. */
export async function readCatalogFile(listed: CatalogFile): Promise<{ content: Buffer; hash: Buffer }> {
  const file = await openCatalogFile(listed)
  try {
    const { size } = await file.stat()
    if (size > maxFileBytes) throw new DocumentFault(`is larger than ${maxFileBytes} bytes`)
    const content = await file.readFile()
    return { content, hash: createHash('sha256').update(content).digest() }
  } finally {
    await file.close()
  }
}

/** A shortage, for example of file descriptors, is not the fault of the document. */
function toDocumentFault(error: unknown, message: string): unknown {
  return isResourceExhausted(error) ? error : new DocumentFault(message)
}

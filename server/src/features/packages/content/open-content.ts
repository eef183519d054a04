import { constants, type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { HashedContent } from '@muster/package-format'
import { problem } from '../../../platform/problem.ts'
import { contentPathOf } from './content-folder.ts'
import { openPackageFile } from './open-package-file.ts'
import { hasContent, storeContent } from './store-content.ts'

export type PackageFile = { folder: string; path: string; size: number; sha256: string }

export const packageFileMissing = problem(
  'FileMissing',
  409,
  'The file is missing from the package store or has changed since the import. Import the package again.',
)

/**
 * Opens the content of a file as it was imported, whatever has become of the file in the folder of the package. Every
 * channel that sends files of packages uses this. Packages that were imported before there was a content folder have no
 * content yet: it is taken from the folder. Undefined if that is not possible because the file is missing or has changed.
 */
export async function openContent(store: string, file: PackageFile): Promise<FileHandle | undefined> {
  const content = await openStoredContent(store, file)
  if (content) return content
  return (await ensureContent(store, file)) ? openStoredContent(store, file) : undefined
}

/** Opens content that does not belong to a folder. Undefined if it is not stored. */
export async function openStoredContent(
  store: string,
  { sha256, size }: HashedContent,
): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW
  const file = await open(contentPathOf(store, sha256), flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  // A copy of another size is damaged.
  if (!file || (await file.stat()).size === size) return file
  await file.close()
  return undefined
}

/** Requests for the same file at the same time share one copy. */
const copies = new Map<string, Promise<boolean>>()

/**
 * Copies a file from the folder of its package unless there is a copy. Returns false if the file is missing there or is
 * not what was imported.
 */
export async function ensureContent(store: string, file: PackageFile): Promise<boolean> {
  if (await hasContent(store, file)) return true
  const key = join(store, file.folder, file.path, file.sha256)
  const running = copies.get(key)
  if (running !== undefined) return running
  const copy = copyFromFolder(store, file).finally(() => copies.delete(key))
  copies.set(key, copy)
  return copy
}

async function copyFromFolder(store: string, { folder, path, size, sha256 }: PackageFile): Promise<boolean> {
  const source = await openPackageFile(store, folder, path)
  if (!source) return false
  try {
    if ((await source.stat()).size !== size) return false
    const copied = await storeContent(store, source, { expectedHash: sha256 })
    return copied.sha256 === sha256
  } finally {
    await source.close()
  }
}

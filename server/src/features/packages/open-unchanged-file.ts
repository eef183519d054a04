import type { FileHandle } from 'node:fs/promises'
import { problem } from '../../platform/problem.ts'
import { openPackageFile } from './open-package-file.ts'

export const packageFileMissing = problem(
  'FileMissing',
  409,
  'The file is missing from the package store or has changed since the import. Import the package again.',
)

/** Opens a file of a package; undefined when it is missing or has another size than the imported one. */
export async function openUnchangedFile(
  store: string,
  folder: string,
  path: string,
  size: number,
): Promise<FileHandle | undefined> {
  const file = await openPackageFile(store, folder, path)
  if (!file || (await file.stat()).size === size) return file
  await file.close()
  return undefined
}

import { constants, type FileHandle, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** Opens a file of a package. Returns undefined if the file does not exist or is only reached through a link. */
export async function openPackageFile(store: string, folder: string, path: string): Promise<FileHandle | undefined> {
  try {
    const expected = join(await realpath(store), folder, path)
    if ((await realpath(expected)) !== expected) return undefined
    const file = await open(expected, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if ((await file.stat()).isFile()) return file
    await file.close()
    return undefined
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

import { constants, type FileHandle, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** Opens a file of a package; undefined when it is not there, or is reached only through a link. */
export async function openPackageFile(store: string, folder: string, path: string): Promise<FileHandle | undefined> {
  try {
    const wanted = join(await realpath(store), folder, path)
    if ((await realpath(wanted)) !== wanted) return undefined
    const file = await open(wanted, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if ((await file.stat()).isFile()) return file
    await file.close()
    return undefined
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

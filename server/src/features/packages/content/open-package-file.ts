import { constants, type FileHandle, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/**
 * Opens a file of a package. Returns undefined if the file does not exist, is only reached through a link, or is outside
 * the folder of the package. Import checks paths as well, but the database may have been changed since.
 */
export async function openPackageFile(store: string, folder: string, path: string): Promise<FileHandle | undefined> {
  try {
    const root = await realpath(store)
    const packageFolder = join(root, folder)
    const expected = join(packageFolder, path)
    if (!isBelow(root, packageFolder) || !isBelow(packageFolder, expected)) return undefined
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

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

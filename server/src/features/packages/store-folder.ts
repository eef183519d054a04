import type { Stats } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatPath, PackageFault, pathFault, toPackageFault, withSlashes } from '@muster/package-format'
import { isInContentFolder } from './content/content-folder.ts'

/** The real path of a folder in the store. No part of the path within the store may be a symbolic link. */
export async function requirePackageFolder(store: string, folder: string): Promise<string> {
  const fault = pathFault(folder)
  if (fault) throw new PackageFault(`The folder path ${fault}.`)
  if (isInContentFolder(folder))
    throw new PackageFault('The service stores copies of files in this folder. It contains no packages.')
  const root = await realpath(store).catch((error: unknown) => {
    throw toPackageFault(error, 'The package store')
  })
  const expected = join(root, withSlashes(folder))
  const found = await realpath(expected).catch((error: unknown) => {
    throw toPackageFault(error, `The folder ${formatPath(folder)} in the package store`)
  })
  if (found !== expected)
    throw new PackageFault(
      `The folder ${formatPath(folder)} is reached through a link or is spelled differently on disk. ` +
        'Use the path of the folder itself, in the same upper and lower case.',
    )
  if (!(await lstat(found)).isDirectory()) throw new PackageFault(`${formatPath(folder)} is not a folder.`)
  return found
}

/**
 * What is wrong with a path that names no folder of the store, for the person who has just typed it. The job that reads the
 * folder checks everything else, and again.
 */
export async function findMissingFolder(store: string, folder: string): Promise<string | undefined> {
  const found = await findInStore(store, folder)
  if (found === missing) return missing
  return found && !found.isDirectory() ? 'is not a folder of the package store' : undefined
}

/** The same for a path that may also name a file. */
export async function findMissingPath(store: string, path: string): Promise<string | undefined> {
  if (isInContentFolder(path)) return missing
  return (await findInStore(store, path)) === missing ? missing : undefined
}

const missing = 'does not exist in the package store'

/** Undefined if the store cannot be read: the job then says why. */
async function findInStore(store: string, path: string): Promise<Stats | typeof missing | undefined> {
  try {
    return await stat(join(store, withSlashes(path)))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? missing : undefined
  }
}

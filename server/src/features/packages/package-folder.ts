import type { BigIntStats } from 'node:fs'
import { constants, type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PackageFault } from './package-fault.ts'
import { formatPath, nameFault, nameKey, pathFault, withSlashes } from './paths.ts'

export type FoundFile = {
  /** Below the folder of the package, with slashes. */
  path: string
  size: number
  /** Differs when the file was changed or replaced. */
  stamp: string
}

const mostFiles = 100_000

/** The real path of the folder, which lies in the store without any link on the way. */
export async function findPackageFolder(store: string, folder: string): Promise<string> {
  const fault = pathFault(folder)
  if (fault) throw new PackageFault(`The path of the folder ${fault}.`)
  const root = await realpath(store).catch((error: unknown) => {
    throw told(error, 'The package store')
  })
  const wanted = join(root, withSlashes(folder))
  const found = await realpath(wanted).catch((error: unknown) => {
    throw told(error, `The folder ${formatPath(folder)} in the package store`)
  })
  if (found !== wanted)
    throw new PackageFault(
      `The folder ${formatPath(folder)} is reached through a link, or is spelled otherwise on disk.`,
    )
  if (!(await lstat(found)).isDirectory()) throw new PackageFault(`${formatPath(folder)} is not a folder.`)
  return found
}

/** All files below the folder, by path. Anything but files and folders, and names that some system mixes up, are refused. */
export async function listFiles(folder: string, signal: AbortSignal): Promise<FoundFile[]> {
  const files: FoundFile[] = []
  const pending = [folder]
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    signal.throwIfAborted()
    const keys = new Map<string, string>()
    for (const name of await namesIn(current)) {
      const path = relative(folder, join(current, name))
      requireGoodName(path, name, keys)
      const found = await lstat(join(current, name), { bigint: true }).catch((error: unknown) => {
        throw told(error, formatPath(path))
      })
      if (found.isDirectory()) pending.push(join(current, name))
      else if (found.isFile()) files.push({ path, size: Number(found.size), stamp: stampOf(found) })
      else
        throw new PackageFault(
          `${formatPath(path)} is ${found.isSymbolicLink() ? 'a link' : 'neither a file nor a folder'}.`,
        )
      if (files.length > mostFiles) throw new PackageFault(`The package has more than ${mostFiles} files.`)
    }
  }
  return files.sort((one, other) => (one.path < other.path ? -1 : 1))
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    throw told(error, 'A folder of the package')
  })
}

function requireGoodName(path: string, name: string, keys: Map<string, string>): void {
  const fault = nameFault(name) ?? pathFault(path)
  if (fault) throw new PackageFault(`The name of ${formatPath(path)} ${fault}.`)
  const twin = keys.get(nameKey(name))
  if (twin !== undefined)
    throw new PackageFault(
      `${formatPath(path)} and ${formatPath(twin)} differ only by case or by the form of their characters.`,
    )
  keys.set(nameKey(name), path)
}

/** Opens the file that was found, and no other that has taken its place. */
export async function openFound(folder: string, { path, stamp }: FoundFile): Promise<FileHandle> {
  // O_NONBLOCK, because the open of a pipe would wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(join(folder, path), flags).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ELOOP' ? changed(path) : told(error, formatPath(path))
  })
  try {
    if (stampOf(await file.stat({ bigint: true })) !== stamp) throw changed(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

export async function requireUnchanged(file: FileHandle, { path, stamp }: FoundFile): Promise<void> {
  if (stampOf(await file.stat({ bigint: true })) !== stamp) throw changed(path)
}

export function requireSameFiles(before: readonly FoundFile[], after: readonly FoundFile[]): void {
  const stamps = new Map(after.map(({ path, stamp }) => [path, stamp]))
  const other = before.find(({ path, stamp }) => stamps.get(path) !== stamp)
  if (other) throw changed(other.path)
  const known = new Set(before.map(({ path }) => path))
  const added = after.find(({ path }) => !known.has(path))
  if (added) throw changed(added.path)
}

function changed(path: string): PackageFault {
  return new PackageFault(
    `${formatPath(path)} was changed while it was read. Try again when nobody writes to the folder.`,
  )
}

function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join()
}

const sentences: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read by the service',
  EPERM: 'may not be read by the service',
  ENAMETOOLONG: 'has a name that is too long',
  ELOOP: 'is a link',
}

/** What the file system refused, told without the place of the store. */
function told(error: unknown, what: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  return code ? new PackageFault(`${what} ${sentences[code] ?? `cannot be read (${code})`}.`) : error
}

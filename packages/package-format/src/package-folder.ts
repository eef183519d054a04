import type { BigIntStats } from 'node:fs'
import { constants, type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PackageFault } from './package-fault.ts'
import { formatPath, nameFault, nameKey, pathFault } from './paths.ts'

export type FoundFile = {
  /** Relative to the folder of the package, with slashes. */
  path: string
  size: number
  /** Differs after the file was changed or replaced. */
  stamp: string
}

const maxFiles = 100_000

/**
 * All files below the folder, sorted by path. Refuses everything except files and folders, and names that some operating
 * system cannot store or cannot distinguish.
 */
export async function listFiles(folder: string, signal: AbortSignal): Promise<FoundFile[]> {
  const files: FoundFile[] = []
  const pending = [folder]
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    signal.throwIfAborted()
    const pathsByKey = new Map<string, string>()
    for (const name of await listNames(current)) {
      const path = relative(folder, join(current, name))
      requirePortableName(path, name, pathsByKey)
      const found = await lstat(join(current, name), { bigint: true }).catch((error: unknown) => {
        throw toPackageFault(error, formatPath(path))
      })
      if (found.isDirectory()) pending.push(join(current, name))
      else if (found.isFile()) files.push({ path, size: Number(found.size), stamp: fileStamp(found) })
      else throw wrongTypeFault(path, found)
      if (files.length > maxFiles)
        throw new PackageFault(`The package has more than ${maxFiles} files. Pack them into an archive.`)
    }
  }
  return files.sort((one, other) => (one.path < other.path ? -1 : 1))
}

async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    throw toPackageFault(error, 'A folder of the package')
  })
}

function requirePortableName(path: string, name: string, pathsByKey: Map<string, string>): void {
  const fault = nameFault(name) ?? pathFault(path)
  if (fault) throw new PackageFault(`The name of ${formatPath(path)} ${fault}.`)
  const twin = pathsByKey.get(nameKey(name))
  if (twin !== undefined)
    throw new PackageFault(
      `${formatPath(path)} and ${formatPath(twin)} differ only in case or in the Unicode form of their characters. ` +
        'Rename one of them.',
    )
  pathsByKey.set(nameKey(name), path)
}

/** Opens a file that `listFiles` found. Throws if another file has taken its place. */
export async function openFoundFile(folder: string, { path, stamp }: FoundFile): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a pipe waits until something writes to it.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(join(folder, path), flags).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ELOOP'
      ? changedFault(path)
      : toPackageFault(error, formatPath(path))
  })
  try {
    if (fileStamp(await file.stat({ bigint: true })) !== stamp) throw changedFault(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The whole content of a small file that `listFiles` found. */
export async function readFoundFile(folder: string, found: FoundFile): Promise<Buffer> {
  const file = await openFoundFile(folder, found)
  try {
    const content = Buffer.alloc(found.size)
    await file.read(content)
    await requireUnchanged(file, found)
    return content
  } finally {
    await file.close()
  }
}

export async function requireUnchanged(file: FileHandle, { path, stamp }: FoundFile): Promise<void> {
  if (fileStamp(await file.stat({ bigint: true })) !== stamp) throw changedFault(path)
}

export function requireSameFiles(before: readonly FoundFile[], after: readonly FoundFile[]): void {
  const stamps = new Map(after.map(({ path, stamp }) => [path, stamp]))
  const changed = before.find(({ path, stamp }) => stamps.get(path) !== stamp)
  if (changed) throw changedFault(changed.path)
  const known = new Set(before.map(({ path }) => path))
  const added = after.find(({ path }) => !known.has(path))
  if (added) throw changedFault(added.path)
}

function changedFault(path: string): PackageFault {
  return new PackageFault(
    `${formatPath(path)} was changed while it was read. Try again when nothing writes to the folder any more.`,
  )
}

function wrongTypeFault(path: string, found: BigIntStats): PackageFault {
  return found.isSymbolicLink()
    ? new PackageFault(`${formatPath(path)} is a link. Replace it with the file or folder that it points to.`)
    : new PackageFault(`${formatPath(path)} is neither a file nor a folder. Remove it from the package.`)
}

function fileStamp({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join()
}

const reasons = new Map(
  Object.entries({
    ENOENT: 'does not exist',
    ENOTDIR: 'does not exist',
    EACCES: 'cannot be read: the service has no permission',
    EPERM: 'cannot be read: the service has no permission',
    ENAMETOOLONG: 'has a name that is too long',
    ELOOP: 'is a link',
  }),
)

/** What an operating system may lack while it opens files. Trying again later makes sense. */
const shortages = new Set(['EMFILE', 'ENFILE', 'ENOMEM'])

/**
 * Turns an error of the file system into a fault that does not reveal where the folder is on disk. A shortage, for example
 * of file descriptors, is not the fault of the package.
 */
export function toPackageFault(error: unknown, subject: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  return code && !shortages.has(code)
    ? new PackageFault(`${subject} ${reasons.get(code) ?? `cannot be read (${code})`}.`)
    : error
}

import { constants, copyFile, link, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '../expected-error.ts'
import type { PackageFile } from '../protocol.ts'
import type { ContentCache } from './content-cache.ts'
import { DownloadFailed } from './download.ts'
import { pathFault } from './path-fault.ts'

/** Refuses paths that would leave the package folder, and entries without a valid hash or size. */
export function requireValidFiles(files: readonly PackageFile[]): void {
  for (const { path, size, sha256 } of files) {
    const fault = pathFault(path)
    if (fault) throw new DownloadFailed(`A path in the list of files ${fault}: ${JSON.stringify(path).slice(0, 200)}.`)
    if (!/^[\da-f]{64}$/.test(sha256)) throw new DownloadFailed(`'${path}' has no SHA-256.`)
    if (!Number.isSafeInteger(size) || size < 0) throw new DownloadFailed(`'${path}' has no size.`)
  }
}

/** Links or copies the cached files into a new package folder that contains nothing else. */
export async function assemblePackage(
  cache: ContentCache,
  folder: string,
  files: readonly PackageFile[],
): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o755 })
  const linked = new Set<string>()
  for (const { path, sha256 } of files) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    // Two files with the same content stay independent: a command may change one of them.
    await place(cache.pathOf(sha256), target, !linked.has(sha256))
    linked.add(sha256)
  }
}

async function place(source: string, target: string, mayLink: boolean): Promise<void> {
  try {
    if (mayLink) return await link(source, target)
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].includes(codeOf(error) ?? '')) throw error
  }
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
}

/** Removes the package folders of finished attempts, except those that are in use. */
export async function removeFolders(packages: string, kept: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(packages))
    if (!kept.has(join(packages, name))) await removeUnlessUsed(join(packages, name))
}

/**
 * Removes a package folder, unless a program that a command has left running uses it: Windows removes neither the folder in
 * which a program was started nor its file. That is not a failure of the work, and the next clean-up tries it again.
 */
export async function removeUnlessUsed(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    if (!['EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY'].includes(codeOf(error) ?? '')) throw error
  }
}

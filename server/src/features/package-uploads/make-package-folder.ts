import { copyFile, link, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatPath, isListable, manifestName, PackageFault, toPackageFault } from '@muster/package-format'
import type { JobAttempt } from '../../jobs/run-attempt.ts'
import { requireRoom } from './limits.ts'
import { unpackArchive } from './unpack-archive.ts'
import { makeFolder, unpackingFolderOf, uploadPathOf } from './upload-files.ts'

export type FolderToMake = {
  uploadId: string
  fileName: string
  /** Relative to the package store. */
  folder: string
  manifest: object | undefined
}

/** Makes the folder of a package: of the uploaded file and a manifest, or of what the uploaded archive contains. */
export async function makePackageFolder(attempt: JobAttempt, toMake: FolderToMake): Promise<void> {
  const { packageStore } = attempt.configuration
  const target = join(packageStore, toMake.folder)
  // An attempt that was interrupted may have left a part of it.
  await rm(target, { recursive: true, force: true })
  await makeFolder(target)
  const file = uploadPathOf(packageStore, toMake.uploadId)
  if (toMake.manifest) return putFile(file, target, toMake.fileName, toMake.manifest)
  attempt.log(`Unpacking ${formatPath(toMake.fileName)}.`)
  const unpacked = join(packageStore, unpackingFolderOf(attempt.id))
  await unpackArchive(
    file,
    { unpacked, target },
    {
      signal: attempt.signal,
      maxBytes: attempt.configuration.uploads.maxFileBytes,
      requireRoom: () =>
        requireRoom(attempt.configuration).catch(() => {
          throw new PackageFault('The package store has too little room left for the files of the archive.')
        }),
    },
  )
}

async function putFile(file: string, target: string, fileName: string, manifest: object): Promise<void> {
  if (!isListable({ path: fileName })) throw new PackageFault(`${formatPath(fileName)} is the name of a manifest.`)
  await linkOrCopy(file, join(target, fileName))
  await writeFile(join(target, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Nothing writes to a complete upload any more, so both may share their blocks. Some file systems have no links. */
async function linkOrCopy(file: string, target: string): Promise<void> {
  try {
    await link(file, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw toPackageFault(error, 'The uploaded file')
    await copyFile(file, target)
  }
}

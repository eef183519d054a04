import { mkdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { uploadsFolderName } from '../packages/content/content-folder.ts'

/** Where the files of uploads are, each with the name of its id. They are in the store because nodes share nothing else. */
export const incomingUploadsOf = (store: string) => join(store, uploadsFolderName, 'incoming')

export const uploadPathOf = (store: string, id: string) => join(incomingUploadsOf(store), requireUuid(id))

/** Folders of the store in which each import has a folder: that of its package, and the one in which it unpacks an archive. */
export const importFolders = { packages: `${uploadsFolderName}/packages`, unpacking: `${uploadsFolderName}/unpacking` }

/** The folder of a package that is made of an upload, relative to the store. */
export const packageFolderOf = (importId: string) => `${importFolders.packages}/${requireUuid(importId)}`

export const unpackingFolderOf = (importId: string) => `${importFolders.unpacking}/${requireUuid(importId)}`

export const isUuid = (name: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(name)

/** Ids become file names, so anything else is refused. */
function requireUuid(id: string): string {
  if (!isUuid(id)) throw new Error('A UUID in lower-case hexadecimal digits was expected.')
  return id
}

/** Only the service may read what people upload until it is imported. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
}

/** The room on the disk of the store, which may not exist yet. */
export async function freeBytesOf(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error
    return freeBytesOf(dirname(folder))
  }
}

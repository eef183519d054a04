import { createHash } from 'node:crypto'
import { constants, lstat, open, readdir, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { formatPath, pathFault, withSlashes } from '../../packages/paths.ts'
import { DocumentFault } from './patch-document.ts'

/** Larger documents than any vendor has published. */
const largestFile = 64 * 1024 * 1024

export type CatalogFile = { folder: string; path: string; isLink: boolean }

/** The JSON files at the path below the store: a file, or all files of a folder and of those in it, by name. */
export async function listCatalogFiles(store: string, path: string): Promise<CatalogFile[]> {
  const fault = pathFault(path)
  if (fault) throw new DocumentFault(`The path ${fault}.`)
  const missing = () => new DocumentFault(`${formatPath(path)} does not exist in the package store.`)
  const root = await realpath(store).catch(() => {
    throw new DocumentFault('The package store does not exist.')
  })
  const wanted = join(root, withSlashes(path))
  const found = await realpath(wanted).catch(() => {
    throw missing()
  })
  if (found !== wanted)
    throw new DocumentFault(`${formatPath(path)} is reached through a link, or is spelled otherwise on disk.`)
  if ((await lstat(found)).isFile())
    return [{ folder: dirname(found), path: relative(dirname(found), found), isLink: false }]
  const entries = await readdir(found, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.name.toLowerCase().endsWith('.json') && !entry.isDirectory())
    .map((entry) => ({
      folder: found,
      path: relative(found, join(entry.parentPath, entry.name)),
      isLink: !entry.isFile(),
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** The content of the file and its hash. */
export async function readCatalogFile({
  folder,
  path,
  isLink,
}: CatalogFile): Promise<{ content: Buffer; hash: Buffer }> {
  if (isLink) throw new DocumentFault('is a link')
  const file = await open(join(folder, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw new DocumentFault(`cannot be read (${(error as NodeJS.ErrnoException).code})`)
    },
  )
  try {
    const { size } = await file.stat()
    if (size > largestFile) throw new DocumentFault(`is larger than ${largestFile} bytes`)
    const content = await file.readFile()
    return { content, hash: createHash('sha256').update(content).digest() }
  } finally {
    await file.close()
  }
}

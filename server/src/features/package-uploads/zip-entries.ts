import { PackageFault } from '@muster/package-format'
import { type Entry, openPromise } from 'yauzl'
import type { ArchiveEntry } from './archive-entry.ts'

/** The entries of a zip file, one after the other. */
export async function* listZipEntries(path: string): AsyncGenerator<ArchiveEntry> {
  const zip = await openPromise(path, { autoClose: false })
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.canDecodeFileData())
        throw new PackageFault('The archive is encrypted or compressed in a way that is not supported.')
      const kind = kindOf(entry)
      yield {
        path: entry.fileName,
        kind,
        content: kind === 'file' ? await zip.openReadStreamPromise(entry) : noContent(),
      }
    }
  } finally {
    zip.close()
  }
}

const fileTypeMask = 0o170000
const regularFile = 0o100000
const folder = 0o040000

/** Archives of Unix have the type of each file. Others have none, and mark folders by a slash at the end. */
function kindOf({ fileName, externalFileAttributes }: Entry): ArchiveEntry['kind'] {
  const type = (externalFileAttributes >>> 16) & fileTypeMask
  if (type !== 0 && type !== regularFile && type !== folder) return 'other'
  return fileName.endsWith('/') || type === folder ? 'folder' : 'file'
}

async function* noContent(): AsyncGenerator<Buffer> {}

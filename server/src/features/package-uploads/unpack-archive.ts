import { createReadStream } from 'node:fs'
import { lstat, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatPath, manifestName, PackageFault, pathFault, withSlashes } from '@muster/package-format'
import type { ArchiveEntry } from './archive-entry.ts'
import { listTarEntries } from './tar-entries.ts'
import { makeFolder } from './upload-files.ts'
import { listZipEntries } from './zip-entries.ts'

export type UnpackLimits = {
  signal: AbortSignal
  /** What the files may have together: a small archive can contain any number of zeros. */
  maxBytes: number
  /** Throws if the disk has too little room. */
  requireRoom(): Promise<void>
}

const maxEntries = 100_000
const bytesPerRoomCheck = 64 * 1024 * 1024

/** Unpacks the folder of a package, first into a folder of its own. If the archive has a single folder at its top, that is the folder of the package. */
export async function unpackArchive(
  archive: string,
  { unpacked, target }: { unpacked: string; target: string },
  limits: UnpackLimits,
): Promise<void> {
  await rm(unpacked, { recursive: true, force: true })
  await makeFolder(unpacked)
  const count = openCount(limits)
  try {
    for await (const entry of await listEntries(archive)) {
      count.entry()
      await unpackEntry(entry, unpacked, count)
    }
    await rm(target, { recursive: true, force: true })
    await rename(await findRoot(unpacked), target)
  } catch (error) {
    throw toArchiveFault(error)
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}

async function listEntries(archive: string): Promise<AsyncIterable<ArchiveEntry>> {
  const head = await readHead(archive)
  if (head.subarray(0, 2).toString('latin1') === 'PK') return listZipEntries(archive)
  const isCompressed = head[0] === 0x1f && head[1] === 0x8b
  if (isCompressed || head.toString('latin1', 257, 262) === 'ustar') return listTarEntries(archive, isCompressed)
  throw new PackageFault(
    'The file is not an archive (zip, tar or tar.gz) of the folder of a package. Import it with a manifest instead.',
  )
}

async function readHead(archive: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(archive, { end: 511 })) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function unpackEntry(entry: ArchiveEntry, folder: string, count: Count): Promise<void> {
  const path = withSlashes(entry.path)
    .replace(/^(\.\/)+/, '')
    .replace(/\/+$/, '')
  // Archives of a folder begin with the folder itself.
  if (entry.kind === 'folder' && (path === '' || path === '.')) return
  const fault = pathFault(path)
  if (fault) throw new PackageFault(`The path ${formatPath(entry.path)} in the archive ${fault}.`)
  if (entry.kind === 'other')
    throw new PackageFault(`${formatPath(path)} in the archive is neither a file nor a folder. Remove it.`)
  const target = join(folder, path)
  await makeFolder(entry.kind === 'folder' ? target : dirname(target))
  if (entry.kind === 'file') await writeContent(entry.content, target, count)
}

async function writeContent(content: AsyncIterable<Buffer>, target: string, count: Count): Promise<void> {
  const file = await open(target, 'wx', 0o600)
  try {
    for await (const chunk of content) {
      await count.bytes(chunk.length)
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
}

type Count = ReturnType<typeof openCount>

function openCount({ signal, maxBytes, requireRoom }: UnpackLimits) {
  let [entries, bytes, checked] = [0, 0, 0]
  return {
    entry() {
      signal.throwIfAborted()
      if (++entries > maxEntries) throw new PackageFault(`The archive has more than ${maxEntries} entries.`)
    },
    async bytes(length: number) {
      signal.throwIfAborted()
      bytes += length
      if (bytes > maxBytes)
        throw new PackageFault(`The files of the archive have more than ${maxBytes} bytes together.`)
      if (bytes - checked < bytesPerRoomCheck) return
      checked = bytes
      await requireRoom()
    },
  }
}

/** The folder with the manifest: that of the archive, or the only one in it. */
async function findRoot(folder: string): Promise<string> {
  const names = await readdir(folder)
  const [only = ''] = names
  const isWrapped = names.length === 1 && only !== manifestName && (await lstat(join(folder, only))).isDirectory()
  return isWrapped ? join(folder, only) : folder
}

const conflicts = ['EEXIST', 'ENOTDIR', 'EISDIR']

/** Errors of the libraries have no code, or one of zlib or tar. */
function toArchiveFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PackageFault || error.name === 'AbortError') return error
  const { code = 'Z_' } = error as NodeJS.ErrnoException
  if (conflicts.includes(code)) return new PackageFault('The archive contains two entries of the same name.')
  return /^(Z_|TAR_)/.test(code) ? new PackageFault(`The archive cannot be read: ${error.message}.`) : error
}

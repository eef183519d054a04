import { Readable } from 'node:stream'
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader, type ZipFile } from 'yauzl'
import { InstallerFault, toInstallerFault, unsupported } from '../installer-fault.ts'
import { chunksOf, type Source } from '../source.ts'

/** Lets the library read a source, so the limits apply to what it reads. */
class SourceReader extends RandomAccessReader {
  readonly #source: Source

  constructor(source: Source) {
    super()
    this.#source = source
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#source.read(position, length).then(
      (bytes) => callback(null, bytes.copy(buffer, offset)),
      (error: Error) => callback(error),
    )
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(chunksOf(this.#source, start, end))
  }
}

export type ZipEntry = { name: string; bytes: number; isEncrypted: boolean; read(maxBytes: number): Promise<Buffer> }

/** The entries of a ZIP archive, as its directory lists them. Entries are never unpacked unless they are read. */
export async function* zipEntries(source: Source): AsyncGenerator<ZipEntry> {
  try {
    // Names are shown, not used as paths, so strange ones are no reason to refuse the archive.
    const options = { autoClose: false, decodeStrings: false }
    const zip = await fromRandomAccessReaderPromise(new SourceReader(source), source.size, options)
    for await (const entry of zip.eachEntry()) yield toEntry(zip, entry, source)
  } catch (error) {
    throw toInstallerFault(error)
  }
}

function toEntry(zip: ZipFile, entry: Entry, source: Source): ZipEntry {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, uncompressedSize: bytes } = entry
  const isEncrypted = entry.isEncrypted()
  return {
    name: getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false),
    bytes,
    isEncrypted,
    async read(maxBytes) {
      if (isEncrypted) throw unsupported('it is encrypted')
      if (bytes > maxBytes) throw new InstallerFault('tooLarge', `A file in it has more than ${maxBytes} bytes.`)
      return readEntry(zip, entry, source, maxBytes)
    },
  }
}

async function readEntry(zip: ZipFile, entry: Entry, { budget }: Source, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      budget.chargeUnpacked(chunk.length)
      length += chunk.length
      if (length > maxBytes) throw new InstallerFault('tooLarge', `A file in it has more than ${maxBytes} bytes.`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    throw toInstallerFault(error)
  }
}

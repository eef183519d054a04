import { on } from 'node:events'
import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { PackageFault } from '@muster/package-format'
import { Parser, type ReadEntry } from 'tar'
import type { ArchiveEntry } from './archive-entry.ts'

/** Names of a kilobyte need no more. What describes a file is kept in memory. */
const maxMetaEntrySize = 64 * 1024

/** The entries of a tar file, one after the other. */
export async function* listTarEntries(path: string, isCompressed: boolean): AsyncGenerator<ArchiveEntry> {
  const bytes = isCompressed ? unzipped(path) : createReadStream(path)
  const parser = new Parser({ strict: true, maxMetaEntrySize })
  const failure = new AbortController()
  void feed(bytes, parser).catch((error: unknown) => failure.abort(error))
  try {
    const events = on(parser as never, 'entry', { close: ['end'], signal: failure.signal })
    for await (const [entry] of events as AsyncIterable<[ReadEntry]>) {
      const kind = kindOf(entry)
      yield { path: entry.path, kind, content: entry as AsyncIterable<Buffer> }
      entry.resume()
    }
  } catch (error) {
    throw failure.signal.aborted ? failure.signal.reason : error
  } finally {
    bytes.destroy()
  }
}

function unzipped(path: string): Readable {
  // Its errors arrive where the result is read.
  return pipeline(createReadStream(path), createGunzip(), () => undefined)
}

/** Writes the bytes into the parser, no faster than the entries are read. */
async function feed(bytes: Readable, parser: Parser): Promise<void> {
  let isFirst = true
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    // The parser would unpack it as well, without letting anything else run.
    if (isFirst && chunk[0] === 0x1f && chunk[1] === 0x8b) throw new PackageFault('The archive is compressed twice.')
    isFirst = false
    if (!parser.write(chunk)) await new Promise((resume) => parser.once('drain', () => resume(undefined)))
  }
  parser.end()
}

function kindOf({ type }: ReadEntry): ArchiveEntry['kind'] {
  if (type === 'Directory') return 'folder'
  return type === 'File' || type === 'OldFile' || type === 'ContiguousFile' ? 'file' : 'other'
}

import type { FileHandle } from 'node:fs/promises'
import { BackupError } from './backup-error.ts'
import { formatName, formatVersion, frameKinds, type Header, type Trailer } from './format.ts'
import { type Frame, readFrames } from './read-frames.ts'
import { damaged } from './seal.ts'

export type Part =
  | { kind: 'header'; header: Header }
  | { kind: 'table'; place: number }
  | { kind: 'data'; piece: Buffer }
  | { kind: 'trailer'; trailer: Trailer }

export type Contents = { header: Header; trailer: Trailer }

/** Reads the whole file once and says what is in it, or throws when a bit is not as it was written. */
export async function verifyBackup(
  file: FileHandle,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): Promise<Contents> {
  let header: Header | undefined
  let trailer: Trailer | undefined
  for await (const part of readBackup(file)) {
    signal.throwIfAborted()
    if (part.kind === 'header') header = part.header
    if (part.kind === 'trailer') trailer = part.trailer
    if (part.kind === 'data') onBytes(part.piece.length)
  }
  if (!header || !trailer) throw damaged('it ends too early')
  return { header, trailer }
}

/** The parts in their order. The trailer comes only if everything before it was right. */
export async function* readBackup(file: FileHandle): AsyncGenerator<Part, void, undefined> {
  const bytes: number[] = []
  let header: Header | undefined
  let trailer: Trailer | undefined
  for await (const frame of readFrames(file)) {
    if (trailer) throw damaged('something follows its end')
    if (!header) {
      header = readHeader(frame)
      yield { kind: 'header', header }
    } else if (frame.kind === frameKinds.table) {
      const place = readJson<number>(frame)
      if (place !== bytes.length) throw damaged('a table is missing')
      bytes.push(0)
      yield { kind: 'table', place }
    } else if (frame.kind === frameKinds.data) {
      bytes.push((bytes.pop() ?? 0) + frame.content.length)
      yield { kind: 'data', piece: frame.content }
    } else if (frame.kind === frameKinds.trailer) {
      trailer = readJson<Trailer>(frame)
      requireComplete(trailer, header, bytes)
    } else throw damaged('it holds something unknown')
  }
  if (!trailer) throw damaged('it ends too early')
  yield { kind: 'trailer', trailer }
}

function readHeader(frame: Frame): Header {
  if (frame.kind !== frameKinds.header) throw new BackupError('The file is not a backup of Muster.')
  const header = readJson<Omit<Header, 'format' | 'version'> & { format?: string; version?: number }>(frame)
  const { format, version } = header
  if (format !== formatName) throw new BackupError('The file is not a backup of Muster.')
  if (version !== formatVersion)
    throw new BackupError(
      `The backup was written in format ${version} by Muster ${header.musterVersion}; this version reads format ` +
        `${formatVersion}. Restore it with the version that wrote it.`,
    )
  return { ...header, format, version }
}

function requireComplete({ tables }: Trailer, header: Header, bytes: number[]): void {
  const isComplete =
    bytes.length === header.tables.length && bytes.every((count, place) => tables[place]?.bytes === count)
  if (!isComplete) throw damaged('a table is incomplete')
}

function readJson<T>({ content }: Frame): T {
  try {
    return JSON.parse(content.toString('utf8')) as T
  } catch {
    throw damaged('a description in it cannot be read')
  }
}

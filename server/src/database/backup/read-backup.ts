import { BackupError } from './backup-error.ts'
import { type BackupSource, damagedBackup } from './backup-source.ts'
import { formatName, formatVersion, frameKinds, type Header, type Trailer } from './format.ts'
import { type BackupFrame, readFrames } from './read-frames.ts'

export type Part =
  | { kind: 'header'; header: Header }
  | { kind: 'table'; index: number }
  | { kind: 'data'; chunk: Buffer }
  | { kind: 'trailer'; trailer: Trailer }

export type Contents = { header: Header; trailer: Trailer }

/** Reads the whole file and returns its header and trailer. Throws if the file was changed or is incomplete. */
export async function verifyBackup(
  backup: BackupSource,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): Promise<Contents> {
  let header: Header | undefined
  let trailer: Trailer | undefined
  for await (const part of readBackup(backup)) {
    signal.throwIfAborted()
    if (part.kind === 'header') header = part.header
    if (part.kind === 'trailer') trailer = part.trailer
    if (part.kind === 'data') onBytes(part.chunk.length)
  }
  if (!header || !trailer) throw damagedBackup('it ends too early')
  return { header, trailer }
}

/** Yields the parts in order. Yields the trailer only if everything before it was valid. */
export async function* readBackup(backup: BackupSource): AsyncGenerator<Part, void, undefined> {
  const bytes: number[] = []
  let header: Header | undefined
  let trailer: Trailer | undefined
  for await (const frame of readFrames(backup)) {
    if (trailer) throw damagedBackup('there is data after its end')
    if (!header) {
      header = readHeader(frame)
      yield { kind: 'header', header }
    } else if (frame.kind === frameKinds.table) {
      const index = readJson<number>(frame)
      if (index !== bytes.length) throw damagedBackup('a table is missing')
      bytes.push(0)
      yield { kind: 'table', index }
    } else if (frame.kind === frameKinds.data) {
      bytes.push((bytes.pop() ?? 0) + frame.content.length)
      yield { kind: 'data', chunk: frame.content }
    } else if (frame.kind === frameKinds.trailer) {
      trailer = readJson<Trailer>(frame)
      requireComplete(trailer, header, bytes)
    } else throw damagedBackup('it contains a part of an unknown kind')
  }
  if (!trailer) throw damagedBackup('it ends too early')
  yield { kind: 'trailer', trailer }
}

function readHeader(frame: BackupFrame): Header {
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
    bytes.length === header.tables.length && bytes.every((count, index) => tables[index]?.bytes === count)
  if (!isComplete) throw damagedBackup('a table is incomplete')
}

function readJson<T>({ content }: BackupFrame): T {
  try {
    return JSON.parse(content.toString('utf8')) as T
  } catch {
    throw damagedBackup('its JSON cannot be parsed')
  }
}

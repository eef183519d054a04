import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { damaged, InstallerFault } from './installer-fault.ts'
import { Budget, type InstallerLimits } from './limits.ts'

const pageBytes = 16 * 1024
const maxPages = 256
/** One read never needs more: tables and headers are smaller. */
const maxRangeBytes = 64 * 1024 * 1024

/** Bytes at positions: a file, or a part of one. */
export type Source = {
  readonly size: number
  readonly budget: Budget
  /** Exactly these bytes. Throws if the source does not have them. */
  read(position: number, length: number): Promise<Buffer>
}

export type InstallerFile = Source & { close(): Promise<void> }

/**
 * Opens a file for reads at any position. Small reads share pages, so only the parts that are needed are read, and
 * every page is charged to the budget.
 */
export async function openInstallerFile(path: string, limits: InstallerLimits): Promise<InstallerFile> {
  const budget = new Budget(limits)
  // A pipe must not make the reader wait for its writer. Windows has neither.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
  const handle = await open(path, flags).catch((error: Error) => {
    throw new InstallerFault('notAFile', `The file cannot be opened: ${error.message}`)
  })
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new InstallerFault('notAFile', 'This is not a file.')
    if (stats.size > limits.maxFileBytes)
      throw new InstallerFault('tooLarge', `The file has more than ${limits.maxFileBytes} bytes.`)
    const readExactly = async (position: number, length: number) => {
      budget.chargeRead(length)
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
      if (bytesRead < length) throw damaged('it became shorter while it was read')
      return buffer
    }
    return {
      size: stats.size,
      budget,
      read: pagedReads(stats.size, readExactly),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function pagedReads(size: number, readExactly: (position: number, length: number) => Promise<Buffer>): Source['read'] {
  const pages = new Map<number, Buffer>()
  async function pageAt(index: number): Promise<Buffer> {
    const known = pages.get(index)
    if (known) {
      pages.delete(index)
      pages.set(index, known)
      return known
    }
    const start = index * pageBytes
    const page = await readExactly(start, Math.min(pageBytes, size - start))
    pages.set(index, page)
    const [oldest] = pages.keys()
    if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest)
    return page
  }
  return async (position, length) => {
    requireRange(position, length, size)
    // What is larger than some pages would only push the others out.
    if (length > 4 * pageBytes) return readExactly(position, length)
    const parts: Buffer[] = []
    for (let at = position; at < position + length; ) {
      const index = Math.floor(at / pageBytes)
      const start = at - index * pageBytes
      const part = (await pageAt(index)).subarray(start, start + position + length - at)
      parts.push(part)
      at += part.length
    }
    const [first] = parts
    return parts.length === 1 && first ? Buffer.from(first) : Buffer.concat(parts)
  }
}

function requireRange(position: number, length: number, size: number): void {
  const isRange = Number.isSafeInteger(position) && Number.isSafeInteger(length) && position >= 0 && length >= 0
  if (!isRange || position + length > size) throw damaged('it ends too early')
  if (length > maxRangeBytes)
    throw new InstallerFault('tooLarge', `A part of the file has more than ${maxRangeBytes} bytes.`)
}

/** A part of a source, with positions from its own start. */
export function partOf(source: Source, start: number, size: number): Source {
  if (
    !Number.isSafeInteger(start) ||
    !Number.isSafeInteger(size) ||
    start < 0 ||
    size < 0 ||
    start + size > source.size
  )
    throw damaged('a part of it would be outside the file')
  return {
    size,
    budget: source.budget,
    async read(position, length) {
      requireRange(position, length, size)
      return source.read(start + position, length)
    },
  }
}

/** Bytes in memory. They have been charged when they were read or unpacked. */
export function sourceOf(bytes: Buffer, budget: Budget): Source {
  return {
    size: bytes.length,
    budget,
    async read(position, length) {
      requireRange(position, length, bytes.length)
      return bytes.subarray(position, position + length)
    },
  }
}

/** At most this many bytes: fewer at the end of the source. */
export function readUpTo(source: Source, position: number, length: number): Promise<Buffer> {
  return source.read(position, Math.max(0, Math.min(length, source.size - position)))
}

const streamChunkBytes = 64 * 1024

/** A part of a source as chunks. */
export async function* chunksOf(source: Source, start = 0, end = source.size): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += streamChunkBytes)
    yield await source.read(at, Math.min(streamChunkBytes, end - at))
}

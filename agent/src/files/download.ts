import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../expected-error.ts'
import type { PackageFile } from '../protocol.ts'
import { ServerAway } from '../server-client.ts'
import { isDiskFull } from '../state/durable-file.ts'
import { BrokenTransfer, type ContentCache } from './content-cache.ts'

/** The files of a package cannot be had; the message says why. */
export class DownloadFailed extends Error {
  override name = 'DownloadFailed'
}

/** Asks one place for a file. */
export type Source = {
  name: string
  ask(sha256: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response>
}

export type Download = {
  cache: ContentCache
  sources: readonly Source[]
  /** Ends the download for good: the time is over, or the agent stops. */
  signal: AbortSignal
  onProgress(doneBytes: number, allBytes: number): void
}

type Failure = { source: string; error: unknown }

const vainAttempts = 3
const pauseMs = 200
const longestPauseMs = 60_000
/** A connection over which nothing comes for this long is given up. */
const stallMs = 30_000

export async function downloadFiles(download: Download, files: readonly PackageFile[], folder: string): Promise<void> {
  const wanted = new Map(files.map((file) => [file.sha256, file]))
  const missing: PackageFile[] = []
  for (const file of wanted.values()) if (!(await download.cache.has(file))) missing.push(file)
  await requireRoom(download.cache, missing, folder)
  const all = missing.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  for (const file of missing) {
    const before = done
    await fetchFile(download, file, (bytes) => download.onProgress(before + bytes, all))
    done += file.size
  }
}

/** As long as the server cannot be reached it is not the package that is wrong: it is tried until the time is over. */
async function fetchFile(download: Download, file: PackageFile, onBytes: (bytes: number) => void): Promise<void> {
  for (let round = 0; ; round++) {
    const failures = await tryAll(download, file, onBytes)
    if (failures.length === 0) return
    if (!(failures.at(-1)?.error instanceof ServerAway)) {
      const reasons = failures.map(({ source, error }) => `${source}: ${messageOf(error)}`)
      throw new DownloadFailed(`'${file.path}' could not be downloaded. ${reasons.join('; ')}.`)
    }
    await sleep(Math.min(longestPauseMs, 1_000 * 2 ** round), undefined, { signal: download.signal })
  }
}

/** Depots first, in their order, then the server. Returns nothing once one had the right content. */
async function tryAll(download: Download, file: PackageFile, onBytes: (bytes: number) => void): Promise<Failure[]> {
  const failures: Failure[] = []
  for (const source of download.sources) {
    const error = await trySource(download, source, file, onBytes)
    if (error === undefined) return []
    failures.push({ source: source.name, error })
  }
  return failures
}

/** A transfer that breaks off is continued, as long as something comes. */
async function trySource(
  download: Download,
  source: Source,
  file: PackageFile,
  onBytes: (bytes: number) => void,
): Promise<unknown> {
  let missing = await download.cache.missing(file)
  for (let vain = 0; ; ) {
    try {
      await download.cache.receive(file, (from) => transferFrom(source, file, from, download.signal, onBytes))
      return undefined
    } catch (error) {
      download.signal.throwIfAborted()
      if (isDiskFull(error)) throw new DownloadFailed(`The disk is full: '${file.path}' could not be written.`)
      if (!(error instanceof BrokenTransfer)) return error
      const left = await download.cache.missing(file)
      vain = left < missing ? 0 : vain + 1
      missing = left
      if (vain === vainAttempts) return error
      await sleep(pauseMs, undefined, { signal: download.signal })
    }
  }
}

async function transferFrom(
  source: Source,
  file: PackageFile,
  from: number,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
) {
  const stall = new AbortController()
  const both = AbortSignal.any([signal, stall.signal])
  const timer = setTimeout(() => stall.abort(new BrokenTransfer('nothing came any more')), stallMs)
  try {
    const headers: Record<string, string> = { 'accept-encoding': 'identity' }
    if (from > 0) Object.assign(headers, { range: `bytes=${from}-`, 'if-range': `"${file.sha256}"` })
    const answer = await source.ask(file.sha256, headers, both)
    if (!answer.ok || answer.body === null) throw new Error(`answered ${answer.status}`)
    const continues = answer.status === 206 && beginsAt(answer, from)
    if (answer.status === 206 && !continues) throw new Error('answered with another part of the file')
    const position = continues ? from : 0
    return { continues, body: watched(answer.body, timer, (bytes) => onBytes(position + bytes)) }
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}

function beginsAt(answer: Response, from: number): boolean {
  return answer.headers.get('content-range')?.startsWith(`bytes ${from}-`) ?? false
}

/** Whatever ends the stream early can be continued, be it the connection or the patience of the agent. */
async function* watched(body: ReadableStream<Uint8Array>, timer: NodeJS.Timeout, onBytes: (bytes: number) => void) {
  let bytes = 0
  try {
    for await (const piece of body) {
      timer.refresh()
      bytes += piece.length
      onBytes(bytes)
      yield piece
    }
  } catch (error) {
    throw new BrokenTransfer(messageOf(error), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

async function requireRoom(cache: ContentCache, missing: readonly PackageFile[], folder: string): Promise<void> {
  let needed = 0
  for (const file of missing) needed += await cache.missing(file)
  const { bavail, bsize } = await statfs(folder)
  if (needed > bavail * bsize)
    throw new DownloadFailed(`The disk is full: the package needs ${needed} bytes more, ${bavail * bsize} are free.`)
}

import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../expected-error.ts'
import type { Answer } from '../http/request.ts'
import type { PackageFile } from '../protocol.ts'
import { ServerUnavailable } from '../server-client.ts'
import { isShortage } from '../shortage.ts'
import { isDiskFull } from '../state/durable-file.ts'
import type { Bandwidth } from './bandwidth.ts'
import { BrokenTransfer, type ContentCache, WrongContent } from './content-cache.ts'
import {
  defaultPaceLimits,
  followPaces,
  type PaceLimits,
  type Source,
  type SourcePaces,
  TooSlow,
  type Visit,
} from './source-pace.ts'

/** The files of a package cannot be downloaded; the message says why. */
export class DownloadFailed extends Error {
  override name = 'DownloadFailed'
}

/** A source has answered with an error. */
class SourceRefused extends Error {
  override name = 'SourceRefused'
  readonly retryAfterSeconds: number | undefined

  constructor({ status, retryAfterSeconds }: Answer) {
    super(`answered ${status}`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export type Download = {
  cache: ContentCache
  sources: readonly Source[]
  /** Aborted when the time limit is reached or the agent stops. */
  signal: AbortSignal
  /** When the time limit is reached, as `performance.now()` counts. */
  endsAtMs: number
  onProgress(doneBytes: number, allBytes: number): void
  bandwidth: Bandwidth
  paceLimits?: PaceLimits
}

type Transfers = Download & { paces: SourcePaces }

type Failure = { source: string; error: unknown }

const maxAttemptsWithoutProgress = 3
const pauseMs = 200
const maxPauseMs = 60_000
/** A source may ask for a longer pause, up to this. */
const maxRequestedPauseMs = 5 * 60_000
/** A connection without data for this long is closed. */
const stallMs = 30_000

/** Downloads the files that are not in the cache. `onMissing` gets them before that. */
export async function downloadFiles(
  download: Download,
  files: readonly PackageFile[],
  folder: string,
  onMissing: (missing: readonly PackageFile[]) => void = () => undefined,
): Promise<void> {
  const wanted = new Map(files.map((file) => [file.sha256, file]))
  const missing: PackageFile[] = []
  for (const file of wanted.values()) if (!(await download.cache.has(file))) missing.push(file)
  onMissing(missing)
  await requireDiskSpace(download.cache, missing, folder)
  const all = missing.reduce((sum, { size }) => sum + size, 0)
  let [before, done] = [0, 0]
  const { sources, endsAtMs, bandwidth, paceLimits = defaultPaceLimits } = download
  const neededRate = () => ((all - done) * 1_000) / Math.max(1, endsAtMs - performance.now())
  const transfers = { ...download, paces: followPaces(sources, paceLimits, neededRate, bandwidth.maxRate) }
  for (const file of missing) {
    await fetchFile(transfers, file, (bytes) => {
      done = before + bytes
      download.onProgress(done, all)
    })
    before += file.size
  }
}

/**
 * An unreachable server and slow sources say nothing about the package, so the download is retried until its time limit.
 */
async function fetchFile(download: Transfers, file: PackageFile, onBytes: (bytes: number) => void): Promise<void> {
  for (let round = 0; ; round++) {
    const failures = await tryAll(download, file, onBytes)
    if (failures.length === 0) return
    if (failures.some(({ error }) => error instanceof TooSlow)) continue
    if (!failures.some(({ error }) => error instanceof ServerUnavailable)) {
      const reasons = failures.map(({ source, error }) => `${source}: ${messageOf(error)}`)
      throw new DownloadFailed(`'${file.path}' could not be downloaded. ${reasons.join('; ')}.`)
    }
    await sleep(pauseAfter(round, failures), undefined, { signal: download.signal })
  }
}

/** Doubles with each round. If sources ask for a longer pause, it is the shortest that any of them asks for. */
function pauseAfter(round: number, failures: readonly Failure[]): number {
  const requested = failures.flatMap(({ error }) =>
    error instanceof ServerUnavailable || error instanceof SourceRefused ? (error.retryAfterSeconds ?? []) : [],
  )
  const requestedMs = requested.length > 0 ? Math.min(...requested) * 1_000 : 0
  return Math.max(Math.min(maxPauseMs, 1_000 * 2 ** round), Math.min(maxRequestedPauseMs, requestedMs))
}

/** Tries the sources in their order. Returns no failures once a source delivered the file. */
async function tryAll(download: Transfers, file: PackageFile, onBytes: (bytes: number) => void): Promise<Failure[]> {
  const failures: Failure[] = []
  for (const source of download.paces.inOrder()) {
    const visit = download.paces.beginVisit(source, file.size - (await download.cache.missing(file)), file.size)
    const error = await trySource(download, source, file, visit, onBytes).finally(visit.end)
    if (error === undefined) {
      visit.noteCompletion()
      return []
    }
    if (!(error instanceof TooSlow)) download.paces.noteFailure(source)
    failures.push({ source: source.name, error })
  }
  return failures
}

/** Continues a transfer that was cut off, as long as it makes progress fast enough. */
async function trySource(
  download: Download,
  source: Source,
  file: PackageFile,
  visit: Visit,
  onBytes: (bytes: number) => void,
): Promise<unknown> {
  const signal = AbortSignal.any([download.signal, visit.signal])
  let missing = await download.cache.missing(file)
  let hasForeignBytes = missing < file.size
  const note = (position: number) => {
    visit.notePosition(position)
    onBytes(position)
  }
  for (let attemptsWithoutProgress = 0; ; ) {
    try {
      await download.cache.receive(file, (from) => {
        visit.noteRequest()
        return transferFrom(source, file, from, { ...download, signal }, note)
      })
      return undefined
    } catch (error) {
      download.signal.throwIfAborted()
      if (isDiskFull(error)) throw new DownloadFailed(`The disk is full: '${file.path}' could not be written.`)
      // No source is to blame.
      if (isShortage(error)) throw error
      if (visit.signal.aborted) return visit.signal.reason
      // The bytes that others have sent may be the wrong ones. They are gone, and this source sends the whole file.
      if (error instanceof WrongContent && hasForeignBytes) {
        hasForeignBytes = false
        missing = file.size
        visit.startOver()
        continue
      }
      if (!(error instanceof BrokenTransfer)) return error
      const left = await download.cache.missing(file)
      attemptsWithoutProgress = left < missing ? 0 : attemptsWithoutProgress + 1
      missing = Math.min(missing, left)
      if (attemptsWithoutProgress === maxAttemptsWithoutProgress) return error
      await sleep(pauseMs, undefined, { signal: download.signal })
    }
  }
}

async function transferFrom(
  source: Source,
  file: PackageFile,
  from: number,
  { signal, bandwidth }: Pick<Download, 'signal' | 'bandwidth'>,
  onPosition: (position: number) => void,
) {
  const stall = new AbortController()
  const both = AbortSignal.any([signal, stall.signal])
  const timer = setTimeout(() => stall.abort(new BrokenTransfer('no data arrived')), stallMs)
  try {
    const headers: Record<string, string> = { 'accept-encoding': 'identity' }
    if (Number.isFinite(bandwidth.maxRate())) headers['muster-max-rate'] = String(Math.ceil(bandwidth.maxRate()))
    if (from > 0) Object.assign(headers, { range: `bytes=${from}-`, 'if-range': `"${file.sha256}"` })
    const answer = await source.ask(file.sha256, headers, both)
    const continues = answer.status === 206 && beginsAt(answer, from)
    const isUsable = answer.isSuccess && (answer.status !== 206 || continues)
    if (!isUsable) answer.body.destroy()
    if (!answer.isSuccess) throw new SourceRefused(answer)
    if (!isUsable) throw new Error('answered with another part of the file')
    const position = continues ? from : 0
    const body = withStallTimer(answer, timer, async (bytes, added) => {
      onPosition(position + bytes)
      await bandwidth.take(added, signal)
    })
    return { continues, body }
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}

function beginsAt(answer: Answer, from: number): boolean {
  return answer.header('content-range')?.startsWith(`bytes ${from}-`) ?? false
}

/** Restarts the stall timer with every chunk. Any early end of the stream counts as a broken transfer. */
async function* withStallTimer(
  { body }: Answer,
  timer: NodeJS.Timeout,
  onBytes: (bytes: number, added: number) => Promise<void>,
) {
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      timer.refresh()
      bytes += chunk.length
      await onBytes(bytes, chunk.length)
      yield chunk
    }
  } catch (error) {
    throw new BrokenTransfer(messageOf(error), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

async function requireDiskSpace(cache: ContentCache, missing: readonly PackageFile[], folder: string): Promise<void> {
  let needed = 0
  for (const file of missing) needed += await cache.missing(file)
  if (needed === 0) return
  const { blocks, bavail, bsize } = await statfs(folder)
  const [free, reserve] = [bavail * bsize, diskReserve(blocks * bsize)]
  if (needed > free - reserve)
    throw new DownloadFailed(
      `The disk is full: the package needs ${needed} bytes more, ${free} are free, and ${reserve} of them stay free.`,
    )
}

const maxReserve = 1024 ** 3

/** What downloads leave free of a disk: the system and its users need space as well, whatever the server hands out. */
export function diskReserve(diskBytes: number): number {
  return Math.min(maxReserve, Math.floor(diskBytes / 20))
}

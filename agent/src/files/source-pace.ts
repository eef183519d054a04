import type { Answer } from '../http/request.ts'

/** A place that may have the files. */
export type Source = {
  name: string
  ask(sha256: string, headers: Record<string, string>, signal: AbortSignal): Promise<Answer>
}

/** What a source must deliver while another can be asked instead. */
export type PaceLimits = {
  /** How long a source is watched before it is judged. */
  windowMs: number
  /** How long a slow source is used before the others are asked again, although it is the fastest of them. */
  shareMs: number
  minBytesPerSecond: number
}

export const defaultPaceLimits: PaceLimits = { windowMs: 30_000, shareMs: 300_000, minBytesPerSecond: 32 * 1024 }

/** A source that delivers less than this part of what another has delivered is left for that one. */
const minShareOfFastest = 1 / 4

/** A source has delivered too little for the time that it took. What it has delivered is kept. */
export class TooSlow extends Error {
  override name = 'TooSlow'
}

/** One source is asked for one file, over any number of connections. */
export type Visit = {
  /** Aborted with `TooSlow` when another source is to be asked. */
  signal: AbortSignal
  /** A request is sent. The time counts from the first one, and not while earlier parts of the file are hashed. */
  noteRequest(): void
  /** The file is complete up to this byte. Bytes that were complete before do not count again. */
  notePosition(position: number): void
  /** The file is requested from its first byte again, because its parts do not belong together. */
  startOver(): void
  noteCompletion(): void
  end(): void
}

export type SourcePaces = ReturnType<typeof followPaces>

/**
 * Follows how fast sources deliver the files of a download so that none of them uses up its time limit while another is
 * faster. A slow source without a faster alternative is never abandoned for good, because a slow line is not a fault.
 */
export function followPaces(
  sources: readonly Source[],
  limits: PaceLimits,
  /** The rate in bytes per second with which the download ends at its time limit. */
  neededRate: () => number,
  /** The rate to which this computer limits itself: no source can be faster. */
  maxRate: () => number = () => Number.POSITIVE_INFINITY,
) {
  /** In bytes per second. */
  const rates = new Map<Source, number>()
  const slow = new Set<Source>()

  const requiredRate = () => Math.min(maxRate() / 2, Math.max(limits.minBytesPerSecond, neededRate()))

  /** Whether to ask another source: because nobody knows how fast it is, because it is faster, or because it is its turn. */
  function shouldLeave(source: Source, rate: number, visitMs: number): boolean {
    const others = sources.filter((other) => other !== source).map((other) => rates.get(other))
    if (others.length === 0) return false
    if (others.includes(undefined) || visitMs >= limits.shareMs) return true
    return rate < Math.max(...others.map((other) => other ?? 0)) * minShareOfFastest
  }

  function judge(source: Source, rate: number): boolean {
    rates.set(source, rate)
    const isSlow = rate < requiredRate()
    if (isSlow) slow.add(source)
    else slow.delete(source)
    return isSlow
  }

  return {
    /** The sources in their order, those that were slow last. */
    inOrder: () => [...sources.filter((source) => !slow.has(source)), ...sources.filter((source) => slow.has(source))],

    /** Without an answer, a source has no bytes to offer. */
    noteFailure: (source: Source): void => void rates.set(source, 0),

    beginVisit(source: Source, from: number, size: number): Visit {
      const leave = new AbortController()
      let begin = performance.now()
      let [best, bestBefore] = [from, from]
      let timer: NodeJS.Timeout | undefined
      function closeWindow(): void {
        const rate = ((best - bestBefore) * 1_000) / limits.windowMs
        bestBefore = best
        // Once all bytes have arrived, only this computer takes time.
        if (best < size && judge(source, rate) && shouldLeave(source, rate, performance.now() - begin))
          leave.abort(new TooSlow(`it delivers only ${Math.round(rate)} bytes per second`))
      }
      return {
        signal: leave.signal,
        noteRequest() {
          if (timer) return
          begin = performance.now()
          timer = setInterval(closeWindow, limits.windowMs)
        },
        notePosition: (position) => {
          best = Math.max(best, position)
        },
        startOver() {
          best = bestBefore = 0
        },
        noteCompletion() {
          // Many small files, each of them shortly before the end of the window, would take as long as a large one.
          const visitMs = performance.now() - begin
          if (visitMs >= limits.windowMs / 6 && visitMs < limits.windowMs)
            judge(source, ((best - from) * 1_000) / visitMs)
        },
        end: () => clearInterval(timer),
      }
    },
  }
}

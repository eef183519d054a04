import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

export type Percentiles = { p50: number; p90: number; p99: number; max: number }
export type OperationFigures = {
  operation: string
  count: number
  failed: number
  unanswered: number
  perSecond: number
} & Percentiles

export type Measurements = {
  /** Records any answer, including errors. */
  recordAnswer(operation: string, milliseconds: number, isSuccess: boolean): void
  recordNoAnswer(operation: string): void
  /** Counts an error by its kind. */
  recordError(kind: string): void
  /** Counts an event by its name. */
  count(event: string, times?: number): void
  /** Records how long after its planned time a step of a computer began. */
  recordDelay(milliseconds: number): void
  requestCount(): number
  errorCount(): number
  countOf(event: string): number
  summary(seconds: number): Summary
}

export type Summary = {
  requests: number
  perSecond: number
  operations: OperationFigures[]
  errors: Record<string, number>
  events: Record<string, number>
  /** The delays of steps in milliseconds: when they began, compared with when they were planned. */
  lateness: Percentiles
}

type Operation = { histogram: RecordableHistogram; failed: number; unanswered: number }

/** Histograms have a fixed size, so a long run takes no more memory than a short one. */
export function openMeasurements(): Measurements {
  const operations = new Map<string, Operation>()
  const errors = new Map<string, number>()
  const events = new Map<string, number>()
  const lateness = newHistogram()
  let requests = 0

  const add = (counts: Map<string, number>, name: string, times = 1) =>
    counts.set(name, (counts.get(name) ?? 0) + times)

  function operationOf(name: string): Operation {
    const known = operations.get(name) ?? { histogram: newHistogram(), failed: 0, unanswered: 0 }
    operations.set(name, known)
    return known
  }

  return {
    recordAnswer(name, milliseconds, isSuccess) {
      const known = operationOf(name)
      record(known.histogram, milliseconds)
      if (!isSuccess) known.failed++
      requests++
    },
    recordNoAnswer: (name) => void operationOf(name).unanswered++,
    recordError: (kind) => void add(errors, kind),
    count: (event, times) => void add(events, event, times),
    recordDelay: (milliseconds) => record(lateness, milliseconds),
    requestCount: () => requests,
    errorCount: () => [...errors.values()].reduce((sum, count) => sum + count, 0),
    countOf: (event) => events.get(event) ?? 0,
    summary: (seconds) => ({
      requests,
      perSecond: perSecond(requests, seconds),
      operations: [...operations].map(([operation, { histogram, failed, unanswered }]) => ({
        operation,
        count: histogram.count,
        failed,
        unanswered,
        perSecond: perSecond(histogram.count, seconds),
        ...percentilesOf(histogram),
      })),
      errors: Object.fromEntries([...errors].toSorted()),
      events: Object.fromEntries([...events].toSorted()),
      lateness: percentilesOf(lateness),
    }),
  }
}

const maxMilliseconds = 600_000

const newHistogram = () => createHistogram({ lowest: 1, highest: maxMilliseconds * 1000, figures: 3 })

function record(histogram: RecordableHistogram, milliseconds: number): void {
  histogram.record(Math.min(maxMilliseconds * 1000, Math.max(1, Math.round(milliseconds * 1000))))
}

function percentilesOf(histogram: RecordableHistogram): Percentiles {
  if (histogram.count === 0) return { p50: 0, p90: 0, p99: 0, max: 0 }
  const at = (percentile: number) => round(histogram.percentile(percentile) / 1000)
  return { p50: at(50), p90: at(90), p99: at(99), max: round(histogram.max / 1000) }
}

const round = (value: number) => Math.round(value * 10) / 10

const perSecond = (count: number, seconds: number) => round(count / Math.max(seconds, 0.001))

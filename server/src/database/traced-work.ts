import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { TraceContext } from '@muster/http/trace-context'

/** What is exported of a request, a job or a statement, once it has ended. */
export type Span = {
  name: string
  kind: 'Server' | 'Consumer' | 'Client'
  trace: TraceContext
  parentSpanId: string | undefined
  /** Milliseconds since 1970, with fractions. */
  startMs: number
  endMs: number
  /** Never values of requests or rows: only names, states and numbers. */
  attributes: Readonly<Record<string, string | number>>
  hasFailed: boolean
}

export type RecordSpan = (span: Span) => void

/** A request or a job. */
export type TracedWork = {
  trace: TraceContext
  /** Whether its transactions know the trace so that events, tasks and jobs store it. By default, they do. */
  isStored?: boolean
  /** Where its spans go, if anywhere. */
  recordSpan?: RecordSpan | undefined
}

type CurrentWork = TracedWork & { hasEnded: boolean }

const storage = new AsyncLocalStorage<CurrentWork>()

/** Runs a request or a job. What it starts and leaves behind, such as a timer, is not part of it once it has ended. */
export async function runTraced<T>(traced: TracedWork, run: () => Promise<T>): Promise<T> {
  const work = { ...traced, hasEnded: false }
  try {
    return await storage.run(work, run)
  } finally {
    work.hasEnded = true
  }
}

/** For what several requests share: it belongs to none of them. */
export const runUntraced = <T>(run: () => T): T => storage.exit(run)

export function currentWork(): TracedWork | undefined {
  const work = storage.getStore()
  return work?.hasEnded ? undefined : work
}

export const newSpanId = (): string => randomBytes(8).toString('hex')

/** The current time with fractions of milliseconds. It goes on evenly when the clock of the machine is set. */
export const preciseNow = (): number => performance.timeOrigin + performance.now()

/** Begins the span of a statement. Returns the function that ends it; undefined if nothing is exported. */
export function beginStatement(text: string, name: string | undefined): ((hasFailed: boolean) => void) | undefined {
  const work = currentWork()
  if (!work?.recordSpan || !work.trace.isSampled) return undefined
  const { trace, recordSpan } = work
  const startMs = preciseNow()
  return (hasFailed) =>
    recordSpan({
      name: summarise(text),
      kind: 'Client',
      trace: { ...trace, spanId: newSpanId() },
      parentSpanId: trace.spanId,
      startMs,
      endMs: preciseNow(),
      attributes: { 'db.system.name': 'postgresql', ...(name && { 'muster.statement': name }) },
      hasFailed,
    })
}

/** What a statement does to which table, such as `update computers`. */
function summarise(text: string): string {
  const verb = /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update)\s+"?([a-z_]+)"?/i.exec(text)?.[1]
  return table && /^(select|insert|update|delete|with)$/.test(verb) ? `${verb} ${table}` : verb
}

import type { RecordSpan } from '../../database/traced-work.ts'

/** The export of spans to a collector. */
export type Tracing = {
  /** Whether a trace that begins here is exported. */
  isSampled(traceId: string): boolean
  /** Takes a span for the export. Never waits: while the collector is away, spans are lost. */
  recordSpan: RecordSpan
  /** Sends what is left, for a few seconds. */
  close(): Promise<void>
}

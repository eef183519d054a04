import { parseTraceparent } from '@muster/http/trace-context'
import { newSpanId, preciseNow, runTraced } from '../database/traced-work.ts'
import type { JobContext } from './job-context.ts'

/** A job continues the trace of the request that has enqueued it. */
export type TracedJob = { queue: string; traceparent: string | null }

/** Runs an attempt at a job as part of its trace, which is in all lines of its log. */
export async function traceJob(
  context: JobContext,
  { queue, traceparent }: TracedJob,
  run: (traced: JobContext) => Promise<void>,
): Promise<void> {
  const parent = parseTraceparent(traceparent)
  if (!parent) return run(context)
  const { tracing, logger } = context
  const trace = { ...parent, spanId: newSpanId() }
  const startMs = preciseNow()
  let hasFailed = true
  try {
    const traced = { ...context, logger: logger.child({ traceId: trace.traceId }) }
    await runTraced({ trace, recordSpan: tracing?.recordSpan }, () => run(traced))
    hasFailed = false
  } finally {
    if (tracing && trace.isSampled)
      tracing.recordSpan({
        name: `job ${queue}`,
        kind: 'Consumer',
        trace,
        parentSpanId: parent.spanId,
        startMs,
        endMs: preciseNow(),
        attributes: { 'muster.queue': queue },
        hasFailed,
      })
  }
}

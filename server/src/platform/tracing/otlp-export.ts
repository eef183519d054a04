import { randomUUID } from 'node:crypto'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import { setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type ReadableSpan,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger } from 'fastify'
import { settlesWithin } from '../../database/embedded-postgres/settles-within.ts'
import type { Span } from '../../database/traced-work.ts'
import type { OtlpSettings } from './otlp-settings.ts'
import type { Tracing } from './tracing.ts'

/** What is made while the collector is away: further spans are lost. */
const maxWaitingSpans = 8_192
const maxBatchSize = 512
const sendTimeoutMs = 3_000
const closeTimeoutMs = 2_000
const msBetweenWarnings = 300_000

export type OtlpExportOptions = {
  logger: Pick<FastifyBaseLogger, 'warn'>
  /** Of the service. */
  version: string
  /** How long spans wait for others. */
  delayMs?: number
}

/** Sends spans to a collector as OTLP over HTTP, in JSON. */
export function openOtlpExport(
  { url, samplePercent }: OtlpSettings,
  { logger, version, delayMs = 5_000 }: OtlpExportOptions,
): Tracing {
  warnOfFailures(logger)
  const resource = resourceFromAttributes({
    'service.name': 'muster',
    'service.version': version,
    'service.instance.id': randomUUID(),
  })
  const sampler = new TraceIdRatioBasedSampler(samplePercent / 100)
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url, timeoutMillis: sendTimeoutMs, concurrencyLimit: 1 }),
    maxQueueSize: maxWaitingSpans,
    maxExportBatchSize: maxBatchSize,
    scheduledDelayMillis: delayMs,
  })
  return {
    isSampled: (traceId) =>
      sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED,
    recordSpan: (span) => processor.onEnd(toReadableSpan(span, resource)),
    async close() {
      await settlesWithin(
        processor.shutdown().catch(() => undefined),
        closeTimeoutMs,
      )
    },
  }
}

/** The libraries have one place for their failures. A collector that is away must not fill the log. */
function warnOfFailures(logger: Pick<FastifyBaseLogger, 'warn'>): void {
  let warnedAt = Number.NEGATIVE_INFINITY
  setGlobalErrorHandler((error) => {
    if (performance.now() - warnedAt < msBetweenWarnings) return
    warnedAt = performance.now()
    logger.warn({ err: error }, 'Spans could not be sent to the collector, and are lost.')
  })
}

const kinds = { Server: SpanKind.SERVER, Consumer: SpanKind.CONSUMER, Client: SpanKind.CLIENT }
const instrumentationScope = { name: 'muster' }

function toReadableSpan(span: Span, resource: Resource): ReadableSpan {
  const { name, kind, trace, parentSpanId, startMs, endMs, attributes, hasFailed } = span
  const { traceId } = trace
  const context = { traceId, spanId: trace.spanId, traceFlags: TraceFlags.SAMPLED }
  return {
    name,
    kind: kinds[kind],
    spanContext: () => context,
    ...(parentSpanId && { parentSpanContext: { ...context, spanId: parentSpanId, isRemote: kind !== 'Client' } }),
    startTime: toHighResolution(startMs),
    endTime: toHighResolution(endMs),
    duration: toHighResolution(endMs - startMs),
    status: { code: hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** Seconds and nanoseconds. */
function toHighResolution(milliseconds: number): [number, number] {
  const seconds = Math.floor(milliseconds / 1_000)
  return [seconds, Math.floor((milliseconds - seconds * 1_000) * 1e6)]
}

import { setTimeout as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { currentWork, runTraced, runUntraced, type Span } from '../../../src/database/traced-work.ts'
import { whoAmI } from '../../../src/features/service/api/who-am-i.ts'
import { createTag } from '../../../src/features/tags/api/create-tag.ts'
import { enqueue } from '../../../src/jobs/enqueue.ts'
import { runAttempt } from '../../../src/jobs/run-attempt.ts'
import { openTracing } from '../../../src/platform/tracing/open-tracing.ts'
import { openOtlpExport } from '../../../src/platform/tracing/otlp-export.ts'
import { openWorld } from '../../world/open-world.ts'
import { openCollector } from './collector.ts'

const collector = await openCollector()
const version = '0.1.0'
const warn = vi.fn()
const tracing = openOtlpExport({ url: collector.url, samplePercent: 100 }, { logger: { warn }, version, delayMs: 20 })
const { app, as, db } = await openWorld({ observers: { tracing } })

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerSpan = '00f067aa0ba902b7'
const headers = { traceparent: `00-${traceId}-${callerSpan}-01` }
const spansOf = (id: string) => collector.spans.filter((span) => span.traceId === id)
const kinds = { server: 2, client: 3, consumer: 5 }

test('a collector gets the request and its statements, as one trace and without any value', async () => {
  const secret = 'a designation that nobody else may read'
  await as('package.write').call(createTag, { body: { designation: secret, description: null }, headers })
  await vi.waitFor(() => expect(spansOf(traceId).map(({ kind }) => kind)).toContain(kinds.server))

  const spans = spansOf(traceId)
  const request = spans.find(({ kind }) => kind === kinds.server)
  expect(request).toMatchObject({
    name: 'POST /api/tags',
    parentSpanId: callerSpan,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/tags',
      'http.response.status_code': 201,
      'muster.operation': 'createTag',
    },
    resource: { 'service.name': 'muster' },
  })
  const statements = spans.filter(({ kind }) => kind === kinds.client)
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['begin', 'insert tags', 'commit']))
  for (const statement of statements) expect(statement.parentSpanId).toBe(request?.spanId)
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
  expect(collector.text()).not.toContain(secret)
})

test('a job is part of the trace of its request', async () => {
  const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true }
  const id = await runTraced({ trace }, () =>
    db.transaction().execute((tx) => enqueue(tx, { queue: 'patch-download', subject: 'a test', input: {} })),
  )
  const context = { db, configuration: app.services.configuration, logger: app.http.log, tracing }

  await runAttempt(
    context,
    ({ finish }) => finish(async () => ({ status: 'Success', message: 'done' })),
    id,
    new AbortController().signal,
  )

  await vi.waitFor(() => expect(spansOf(trace.traceId).map(({ kind }) => kind)).toContain(kinds.consumer))
  const job = spansOf(trace.traceId).find(({ kind }) => kind === kinds.consumer)
  expect(job).toMatchObject({ name: 'job patch-download', parentSpanId: trace.spanId, status: { code: 0 } })
  expect(spansOf(trace.traceId).some(({ parentSpanId }) => parentSpanId === job?.spanId)).toBe(true)
})

test('a trace that its caller does not record is not exported', async () => {
  const unrecorded = 'c'.repeat(32)
  await as('computer.read').call(whoAmI, { headers: { traceparent: `00-${unrecorded}-${callerSpan}-00` } })
  const recorded = 'd'.repeat(32)
  await as('computer.read').call(whoAmI, { headers: { traceparent: `00-${recorded}-${callerSpan}-01` } })

  await vi.waitFor(() => expect(spansOf(recorded)).not.toEqual([]))
  expect(spansOf(unrecorded)).toEqual([])
})

const span: Span = {
  name: 'a request',
  kind: 'Server',
  trace: { traceId: 'e'.repeat(32), spanId: 'f'.repeat(16), isSampled: true },
  parentSpanId: undefined,
  startMs: 0,
  endMs: 1,
  attributes: {},
  hasFailed: false,
}

test('a share of the traces that begin here is exported', () => {
  const openWith = (samplePercent: number) =>
    openOtlpExport({ url: collector.url, samplePercent }, { logger: { warn }, version })
  const ids = Array.from({ length: 200 }, () => crypto.randomUUID().replaceAll('-', ''))
  const shareOf = (samplePercent: number) => {
    const opened = openWith(samplePercent)
    return ids.filter((id) => opened.isSampled(id)).length / ids.length
  }

  expect([shareOf(0), shareOf(100)]).toEqual([0, 1])
  expect(shareOf(50)).toBeGreaterThan(0.25)
  expect(shareOf(50)).toBeLessThan(0.75)
})

test('while the collector is away, spans are dropped and one line of the log says so', async () => {
  const away = await openCollector()
  away.close()
  const warnOnce = vi.fn()
  const exporting = openOtlpExport(
    { url: away.url, samplePercent: 100 },
    { logger: { warn: warnOnce }, version, delayMs: 1 },
  )
  onTestFinished(() => exporting.close())

  for (let count = 0; count < 20_000; count++) exporting.recordSpan(span)

  await vi.waitFor(() => expect(warnOnce).toHaveBeenCalled(), { timeout: 20_000, interval: 100 })
  expect(warnOnce).toHaveBeenCalledTimes(1)
}, 30_000)

test('without a configured collector, nothing is opened', async () => {
  expect(await openTracing(undefined, { logger: { warn }, version })).toBeUndefined()
})

test('what a request leaves behind, and what several share, belongs to no trace', async () => {
  const { trace } = span
  let late: Promise<unknown> = Promise.resolve()

  const within = await runTraced({ trace }, async () => {
    late = nextTurn(5).then(() => currentWork())
    return [currentWork()?.trace, runUntraced(() => currentWork())]
  })

  expect(within).toEqual([trace, undefined])
  expect(await late).toBeUndefined()
  expect(currentWork()).toBeUndefined()
})

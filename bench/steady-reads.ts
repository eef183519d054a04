import { createHistogram, type Histogram } from 'node:perf_hooks'
import { isRetryableStatus } from './retryable.ts'

export type Read = { path: string; method?: 'GET' | 'POST'; body?: object }
export type SteadyLoad = { perSecond: number; reads: readonly Read[] }
export type ReadFigures = {
  count: number
  failed: number
  /** Failed requests that a client cannot retry. */
  refused: number
  p50: number
  p99: number
}

/**
 * Sends the reads in turn at a fixed rate, without waiting for earlier answers. Latencies count from the time at which a
 * read was due, so time in a queue is included.
 */
export function startSteadyReads(address: string, headers: Record<string, string>, { perSecond, reads }: SteadyLoad) {
  const latencies: Histogram & { record(value: number): void } = createHistogram()
  const underWay = new Set<Promise<void>>()
  const interval = 1000 / perSecond
  const start = performance.now()
  let sent = 0
  let failed = 0
  let refused = 0

  async function send({ path, method = 'GET', body }: Read, dueAt: number): Promise<void> {
    const answer = await fetch(address + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (!answer?.ok) failed++
    if (answer && !answer.ok && !isRetryableStatus(answer.status)) refused++
    latencies.record(Math.max(1, Math.round(performance.now() - dueAt)))
  }

  const timer = setInterval(() => {
    while (start + sent * interval <= performance.now()) {
      const read = reads[sent % reads.length]
      if (!read) return
      const call = send(read, start + sent * interval)
      underWay.add(call)
      void call.finally(() => underWay.delete(call))
      sent++
    }
  }, 5)

  return {
    async stop(): Promise<ReadFigures> {
      clearInterval(timer)
      await Promise.all(underWay)
      return { count: sent, failed, refused, p50: latencies.percentile(50), p99: latencies.percentile(99) }
    },
  }
}

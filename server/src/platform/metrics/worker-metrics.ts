import cluster, { type Worker } from 'node:cluster'
import type { Registry } from 'prom-client'
import { openNodeMetrics, type ProcessMetrics } from './node-metrics.ts'

/** What a worker sends: a request for the metrics of the node, and its own metrics. */
type FromWorker =
  | { workerMetrics: 'request'; requestId: number }
  | { workerMetrics: 'own'; requestId: number; metrics: ProcessMetrics }

/** What the first process sends: a request for the metrics of the worker, and those of the node. */
type ToWorker =
  | { workerMetrics: 'collect'; requestId: number }
  | { workerMetrics: 'response'; requestId: number; text: string; problem?: string }

/** Of a worker that takes longer, the metrics that it sent last are shown. */
const answerTimeoutMs = 3_000

/** In a worker: provides its metrics to the first process. Returns a function that gets the sum of all workers. */
export function startWorkerMetrics(own: Registry): () => Promise<string> {
  const pending = new Map<number, PromiseWithResolvers<string>>()
  let requestCount = 0

  async function sendOwn(requestId: number): Promise<void> {
    const metrics = await own.getMetricsAsJSON()
    process.send?.({ workerMetrics: 'own', requestId, metrics } satisfies FromWorker)
  }

  function settle({ requestId, text, problem }: Extract<ToWorker, { workerMetrics: 'response' }>): void {
    const waiter = pending.get(requestId)
    pending.delete(requestId)
    if (problem === undefined) waiter?.resolve(text)
    else waiter?.reject(new Error(problem))
  }

  process.on('message', (message: ToWorker | { workerMetrics?: undefined }) => {
    if (message.workerMetrics === 'response') settle(message)
    // Without an answer, the first process shows what it got last.
    if (message.workerMetrics === 'collect') void sendOwn(message.requestId).catch(() => {})
  })
  return () => {
    const waiter = Promise.withResolvers<string>()
    pending.set(++requestCount, waiter)
    process.send?.({ workerMetrics: 'request', requestId: requestCount } satisfies FromWorker)
    return waiter.promise
  }
}

/** In the first process: sends the metrics of all workers to the worker that requests them. */
export function serveWorkerMetrics(): void {
  const node = openNodeMetrics()
  const pending = new Map<number, () => void>()
  let requestCount = 0
  let rendering: Promise<string> | undefined

  /** Waits until the worker has sent its metrics, has ended or takes too long. */
  function collectFrom(worker: Worker): Promise<void> {
    const requestId = ++requestCount
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timeout)
        worker.off('disconnect', done)
        pending.delete(requestId)
        resolve()
      }
      const timeout = setTimeout(done, answerTimeoutMs)
      worker.once('disconnect', done)
      pending.set(requestId, done)
      // A worker that is just ending cannot be asked. Without a callback, that would end this process.
      worker.send({ workerMetrics: 'collect', requestId } satisfies ToWorker, undefined, {}, (error) => {
        if (error) done()
      })
    })
  }

  async function renderForAll(): Promise<string> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true)
    await Promise.all(workers.map((worker) => worker && collectFrom(worker)))
    return node.render()
  }

  /** Requests at the same time share one collection. */
  function renderOnce(): Promise<string> {
    rendering ??= renderForAll().finally(() => {
      rendering = undefined
    })
    return rendering
  }

  cluster.on('message', (worker, message: FromWorker | { workerMetrics?: undefined }) => {
    if (message.workerMetrics === 'own') {
      node.record(worker.id, message.metrics)
      pending.get(message.requestId)?.()
    }
    if (message.workerMetrics !== 'request') return
    const response = { workerMetrics: 'response', requestId: message.requestId, text: '' } as const
    const respond = (answer: ToWorker) => worker.isConnected() && worker.send(answer)
    renderOnce().then(
      (text) => respond({ ...response, text }),
      (error: Error) => respond({ ...response, problem: error.message }),
    )
  })
  // Not 'exit', which may be emitted before the last message.
  cluster.on('disconnect', (worker) => node.retire(worker.id))
}

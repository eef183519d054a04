import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'

type MetricsRequest = { workerMetrics: 'request'; requestId: number }
type MetricsResponse = { workerMetrics: 'response'; requestId: number; text: string; problem?: string }

/** In a worker: provides its metrics to the first process. Returns a function that gets the sum of all workers. */
export function startWorkerMetrics(own: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(own)
  // The constructor makes the worker answer the first process.
  new AggregatorRegistry()
  const pending = new Map<number, PromiseWithResolvers<string>>()
  let requestCount = 0
  process.on('message', (message: Partial<MetricsResponse>) => {
    if (message.workerMetrics !== 'response' || message.requestId === undefined) return
    const waiter = pending.get(message.requestId)
    pending.delete(message.requestId)
    if (message.problem === undefined) waiter?.resolve(message.text ?? '')
    else waiter?.reject(new Error(message.problem))
  })
  return () => {
    const waiter = Promise.withResolvers<string>()
    pending.set(++requestCount, waiter)
    process.send?.({ workerMetrics: 'request', requestId: requestCount } satisfies MetricsRequest)
    return waiter.promise
  }
}

/** In the first process: sends the metrics of all workers to the worker that requests them. */
export function serveWorkerMetrics(): void {
  const all = new AggregatorRegistry()
  cluster.on('message', (worker, message: Partial<MetricsRequest>) => {
    if (message.workerMetrics !== 'request' || message.requestId === undefined) return
    const response = { workerMetrics: 'response', requestId: message.requestId, text: '' } as const
    all.clusterMetrics().then(
      (text) => worker.send({ ...response, text } satisfies MetricsResponse),
      (error: Error) => worker.send({ ...response, problem: error.message } satisfies MetricsResponse),
    )
  })
}

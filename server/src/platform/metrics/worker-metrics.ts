import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'

type Question = { workerMetrics: 'asked'; question: number }
type Answer = { workerMetrics: 'answered'; question: number; text: string; problem?: string }

/** In a worker: gives its own metrics when asked, and returns how to ask for those of all workers, added up. */
export function metricsOfAllWorkers(own: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(own)
  // Only one that was made answers to the first process.
  new AggregatorRegistry()
  const waiting = new Map<number, PromiseWithResolvers<string>>()
  let questions = 0
  process.on('message', (message: Partial<Answer>) => {
    if (message.workerMetrics !== 'answered' || message.question === undefined) return
    const asker = waiting.get(message.question)
    waiting.delete(message.question)
    if (message.problem === undefined) asker?.resolve(message.text ?? '')
    else asker?.reject(new Error(message.problem))
  })
  return () => {
    const asker = Promise.withResolvers<string>()
    waiting.set(++questions, asker)
    process.send?.({ workerMetrics: 'asked', question: questions } satisfies Question)
    return asker.promise
  }
}

/** In the first process: answers workers that ask for the metrics of all. */
export function answerForWorkerMetrics(): void {
  const all = new AggregatorRegistry()
  cluster.on('message', (worker, message: Partial<Question>) => {
    if (message.workerMetrics !== 'asked' || message.question === undefined) return
    const answer = { workerMetrics: 'answered', question: message.question, text: '' } as const
    all.clusterMetrics().then(
      (text) => worker.send({ ...answer, text } satisfies Answer),
      (error: Error) => worker.send({ ...answer, problem: error.message } satisfies Answer),
    )
  })
}

import { AggregatorRegistry, type Registry } from 'prom-client'

/** The metrics of a process, as its registry exports them for others. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export type NodeMetrics = {
  /** Replaces what is known of a worker. */
  record(workerId: number, metrics: ProcessMetrics): void
  /** Keeps what a worker has counted, as far as it is known, after its end. */
  retire(workerId: number): void
  render(): Promise<string>
}

/** The types of the library say that these are numbers. */
const cumulativeTypes = ['counter', 'histogram', 'summary']

/**
 * Adds up the metrics of the workers of a node. A counter must not fall when a worker is replaced: Prometheus would take that
 * for a restart of the node and count everything that the others have counted once more.
 */
export function openNodeMetrics(): NodeMetrics {
  const latest = new Map<number, ProcessMetrics>()
  let retired: Promise<ProcessMetrics> = Promise.resolve([])
  return {
    record: (workerId, metrics) => void latest.set(workerId, metrics),
    retire(workerId) {
      const counted = latest.get(workerId)?.filter(({ type }) => cumulativeTypes.includes(String(type)))
      latest.delete(workerId)
      if (counted)
        retired = retired.then((before) => AggregatorRegistry.aggregate([before, counted]).getMetricsAsJSON())
    },
    async render() {
      // Both before the first await: a worker that ends meanwhile is among one of them, and not among both.
      const [running, ended] = [[...latest.values()], retired]
      return AggregatorRegistry.aggregate([...running, await ended]).metrics()
    },
  }
}

import { Gauge, type Registry } from 'prom-client'

type LabelledValue<L extends string> = { labels: Record<L, string>; value: number }

/** A value of the whole fleet, found in a snapshot that one node has made for all. */
export type FleetGauge<Snapshot, L extends string = string> = {
  name: `muster_${string}`
  help: string
  /** The number of values of a label must not grow with the fleet. */
  labels: readonly L[]
  values(snapshot: Snapshot): readonly LabelledValue<L>[]
}

/** How to read the snapshot, and what the metrics show of it. */
export type FleetMetrics<Snapshot> = { gauges: readonly FleetGauge<Snapshot>[]; read(): Promise<Snapshot> }

/** However often metrics are read, the database is asked for the snapshot this often. */
const maxAgeMs = 10_000

export function addFleetMetrics<Snapshot>(registry: Registry, { gauges, read }: FleetMetrics<Snapshot>): void {
  const readCached = openCache(read)
  for (const { name, help, labels, values } of gauges)
    new Gauge({
      name,
      help,
      labelNames: labels,
      // All workers show the same snapshot, or one that is a few seconds older.
      aggregator: 'max',
      registers: [registry],
      async collect() {
        this.reset()
        const snapshot = await readCached()
        if (snapshot !== undefined) for (const { labels, value } of values(snapshot)) this.set(labels, value)
      },
    })
}

/** If the database fails, the metrics of the fleet are missing, and those of the node are not. */
function openCache<Snapshot>(read: () => Promise<Snapshot>): () => Promise<Snapshot | undefined> {
  let last: Promise<Snapshot | undefined> = Promise.resolve(undefined)
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - readAt >= maxAgeMs) {
      readAt = performance.now()
      last = read().catch(() => undefined)
    }
    return last
  }
}

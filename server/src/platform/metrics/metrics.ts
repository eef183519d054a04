import cluster from 'node:cluster'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ConnectedDatabase } from '../../database/connect.ts'
import type { Health } from '../health/health.ts'
import { addFleetMetrics, type FleetMetrics } from './fleet-metrics.ts'
import { addHealthMetrics } from './health-metrics.ts'
import { addLoadMetrics, type MeasuredLoad } from './load-metrics.ts'
import { startWorkerMetrics } from './worker-metrics.ts'

/** `route` is the template of the path, so the number of routes is limited. */
export type ObservedRequest = { operation: string; method: string; route: string; status: number; seconds: number }

export type Metrics = {
  observeRequest(request: ObservedRequest): void
  render(): Promise<string>
}

/** Each sample of the lag of the event loop wakes the process up. */
const lagResolutionMs = 250

/**
 * Gauges of the library that are named like counters, so a query for their rate would be wrong. They are the sums of gauges by
 * type, which remain.
 */
const misnamedGauges = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total']

export function openMetrics<Snapshot>(
  database: ConnectedDatabase,
  health: Health,
  load: MeasuredLoad,
  fleet: FleetMetrics<Snapshot>,
): Metrics {
  const { lanes, statementCount } = database
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagResolutionMs })
  for (const name of misnamedGauges) registry.removeSingleMetric(name)
  const requests = new Histogram({
    name: 'muster_http_request_duration_seconds',
    help: 'Time from the first byte of a request to its answer, by operation and route.',
    labelNames: ['operation', 'method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'muster_database_connections',
    help: 'Database connections of each lane, and requests that wait for one.',
    labelNames: ['lane', 'state'] as const,
    registers: [registry],
    collect() {
      for (const [lane, { pool }] of Object.entries(lanes)) {
        this.set({ lane, state: 'open' }, pool.totalCount)
        this.set({ lane, state: 'idle' }, pool.idleCount)
        this.set({ lane, state: 'waited_for' }, pool.waitingCount)
      }
    },
  })
  new Counter({
    name: 'muster_database_statements_total',
    help: 'Statements sent to the database, including those that begin and end transactions.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(statementCount())
    },
  })
  addHealthMetrics(registry, health, database)
  addLoadMetrics(registry, load)
  addFleetMetrics(registry, fleet)
  return {
    observeRequest({ seconds, ...labels }) {
      requests.observe(labels, seconds)
    },
    render: cluster.isWorker ? startWorkerMetrics(registry) : () => registry.metrics(),
  }
}

import cluster from 'node:cluster'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ConnectedDatabase } from '../../database/connect.ts'
import type { Health } from '../health/health.ts'
import type { Services } from '../services.ts'
import { addHealthMetrics } from './health-metrics.ts'
import { addLoadMetrics } from './load-metrics.ts'
import { startWorkerMetrics } from './worker-metrics.ts'

export type Metrics = {
  observeRequest(operation: string, status: number, seconds: number): void
  render(): Promise<string>
}

export function openMetrics(
  database: ConnectedDatabase,
  health: Health,
  load: Pick<Services, 'handOutTurns' | 'downloads'>,
): Metrics {
  const { lanes, statementCount } = database
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'muster_http_request_duration_seconds',
    help: 'Time from the first byte of a request to its answer.',
    labelNames: ['operation', 'status'] as const,
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
  return {
    observeRequest(operation, status, seconds) {
      requests.observe({ operation, status }, seconds)
    },
    render: cluster.isWorker ? startWorkerMetrics(registry) : () => registry.metrics(),
  }
}

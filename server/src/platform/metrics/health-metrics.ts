import { Gauge, type Registry } from 'prom-client'
import type { ConnectedDatabase } from '../../database/connect.ts'
import type { Health } from '../health/health.ts'

/** Of several workers, the metrics show the one in the worst state. */
export function addHealthMetrics(registry: Registry, health: Health, database: ConnectedDatabase): void {
  new Gauge({
    name: 'muster_ready',
    help: 'Whether /health/ready answers 200: 1 or 0.',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(health.report().status === 'unavailable' ? 0 : 1)
    },
  })
  new Gauge({
    name: 'muster_health_check',
    help: 'Whether a health check passes: 1, or 0 for a warning or a failure.',
    labelNames: ['check'] as const,
    aggregator: 'min',
    registers: [registry],
    collect() {
      for (const { name, status } of health.report().checks) this.set({ check: name }, status === 'passed' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'muster_database_silence_seconds',
    help: 'For how long answers of the database have been awaited without a single one.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(database.millisecondsWithoutAnswer() / 1000)
    },
  })
}

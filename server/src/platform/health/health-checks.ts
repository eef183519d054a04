import type { FastifyBaseLogger } from 'fastify'
import type { ConnectedDatabase } from '../../database/connect.ts'
import type { Configuration } from '../configuration.ts'
import { clockCheck } from './clock-check.ts'
import type { ContactFlow } from './contact-flow.ts'
import { diskCheck } from './disk-check.ts'
import { eventLoopCheck } from './event-loop-check.ts'
import type { HealthCheck } from './health.ts'
import type { JobBeat } from './job-beat.ts'
import { laneChecks } from './lane-checks.ts'
import { openFileCheck } from './open-file-check.ts'
import { statementWatchdog } from './statement-watchdog.ts'

export type HealthCheckParts = {
  database: ConnectedDatabase
  configuration: Configuration
  logger: FastifyBaseLogger
  contactFlow: ContactFlow
  jobBeat: JobBeat
}

/** All checks of a process that answers requests. docs/guides/monitoring.md lists them for operators. */
export function listHealthChecks(parts: HealthCheckParts): HealthCheck[] {
  const { database, configuration, logger, contactFlow, jobBeat } = parts
  const { lanes } = database
  return [
    ...laneChecks(lanes, contactFlow),
    statementWatchdog(database, logger),
    jobBeat.check,
    diskCheck(configuration),
    openFileCheck,
    clockCheck({ reads: lanes.reads }),
    eventLoopCheck(),
  ]
}

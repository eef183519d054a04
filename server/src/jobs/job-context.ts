import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Configuration } from '../platform/configuration.ts'
import type { Tracing } from '../platform/tracing/tracing.ts'

export type JobContext = {
  db: Database
  configuration: Configuration
  logger: FastifyBaseLogger
  tracing?: Tracing | undefined
}

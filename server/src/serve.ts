import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import type { ConnectedDatabase } from './database/connect.ts'
import { listenTo } from './database/listen.ts'
import { startScheduler } from './jobs/scheduler.ts'
import type { Configuration } from './platform/configuration.ts'
import { openContactFlow } from './platform/health/contact-flow.ts'
import { openHealth } from './platform/health/health.ts'
import { listHealthChecks } from './platform/health/health-checks.ts'
import { openJobBeat } from './platform/health/job-beat.ts'
import { listen } from './platform/http/listeners.ts'
import { endInTime } from './platform/stop-in-time.ts'
import type { Tracing } from './platform/tracing/tracing.ts'

const hour = 3_600

export type Serving = {
  addresses: string[]
  reloadCertificate(): Promise<void>
  /** Notes that the background work of this node runs. */
  recordJobBeat(): void
  /** Finishes the requests in progress, within seconds. Statements that take longer are cancelled. */
  stop(): Promise<void>
}

export type ServiceParts = {
  database: ConnectedDatabase
  configuration: Configuration
  logger: FastifyBaseLogger
  tracing?: Tracing | undefined
}

/**
 * Answers HTTP requests in this process, which may be one of several workers. `noteActivity` is called after each request that
 * may have changed something.
 */
export async function startServing(
  { database, configuration, logger, tracing }: ServiceParts,
  noteActivity: () => void,
): Promise<Serving> {
  const contactFlow = openContactFlow()
  const jobBeat = openJobBeat()
  const health = openHealth(listHealthChecks({ database, configuration, logger, contactFlow, jobBeat }))
  const app = { database, configuration, logger, tracing, health, contactFlow, noteActivity }
  const { http, services, signingKeys, reload } = await buildApp(app)
  const { background } = database.lanes
  const listeners = await listen(http, configuration, services.wakeHub.connectionCount)
  const { addresses, maxWakeConnections, reloadCertificate, reloadRenewedCertificate } = listeners
  services.wakeHub.limitTo(maxWakeConnections)
  health.start(logger)
  const restores = listenTo(background.pool, 'muster_restored', reload, logger)
  const scheduler = startScheduler(
    [
      // Every process does this, because rotation also loads the keys that other processes have created.
      {
        name: 'rotate signing keys',
        intervalSeconds: hour,
        async run() {
          await services.keys.reload()
          await signingKeys.rotate()
          return undefined
        },
      },
      {
        name: 'purge expired sessions',
        intervalSeconds: hour,
        run: () => services.sessions.purgeExpired(background.db),
      },
      // For those who renew it without a signal, as Kubernetes does.
      {
        name: 'reload a renewed certificate',
        intervalSeconds: hour,
        run: async () => ((await reloadRenewedCertificate()) ? 1 : undefined),
      },
    ],
    logger,
  )
  return {
    addresses,
    reloadCertificate,
    recordJobBeat: jobBeat.record,
    async stop() {
      health.stop()
      await endInTime(Promise.all([listeners.close(), scheduler.stop(), restores.close()]), database)
      listeners.closeConnections()
    },
  }
}

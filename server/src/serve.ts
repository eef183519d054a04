import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import type { ConnectedDatabase } from './database/connect.ts'
import { listenTo } from './database/listen.ts'
import { startHourly } from './jobs/hourly.ts'
import type { Configuration } from './platform/configuration.ts'
import { listen } from './platform/http/listeners.ts'

export type Serving = {
  addresses: string[]
  reloadCertificate(): Promise<void>
  /** Finishes the requests that are under way. */
  stop(): Promise<void>
}

export type ServiceParts = { database: ConnectedDatabase; configuration: Configuration; logger: FastifyBaseLogger }

/** Answers requests over HTTP, in one process of maybe several. */
export async function startServing({ database, configuration, logger }: ServiceParts): Promise<Serving> {
  const { http, services, signingKeys, reload } = await buildApp({ database, configuration, logger })
  const { addresses, reloadCertificate, close } = await listen(http, configuration)
  const restores = listenTo(database.pool, 'muster_restored', reload, logger)
  const stopHourly = startHourly(
    [
      // Each process does this, because it also learns of the keys that others made.
      { name: 'rotate signing keys', run: () => signingKeys.rotate().then(() => 0) },
      { name: 'forget expired sessions', run: () => services.sessions.forgetExpired() },
    ],
    logger,
  )
  return {
    addresses,
    reloadCertificate,
    async stop() {
      await stopHourly()
      await restores.close()
      await close()
    },
  }
}

import { mkdir } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { PgBoss } from 'pg-boss'
import type { ConnectedDatabase } from '../database/connect.ts'
import { listenTo } from '../database/listen.ts'
import { packageHash } from '../features/packages/jobs/package-hash.ts'
import { packageImport } from '../features/packages/jobs/package-import.ts'
import { patchImport } from '../features/patches/jobs/patch-import.ts'
import { startWakeUps } from '../features/wake-on-lan/jobs/send-wake-ups.ts'
import type { Configuration } from '../platform/configuration.ts'
import type { QueueName } from './queues.ts'
import { type JobHandler, runAttempt } from './run-attempt.ts'

const handlers: Partial<Record<QueueName, JobHandler>> = {
  'package-import': packageImport,
  'package-hash': packageHash,
  'patch-import': patchImport,
}

export type Jobs = {
  /** Takes no more jobs; those that run are given back, and run again after the next start or on another node. */
  stop(): Promise<void>
}

export type JobsOptions = { database: ConnectedDatabase; configuration: Configuration; logger: FastifyBaseLogger }

/** Works on the queues. Any number of nodes may do so at once. */
export async function startJobs({ database, configuration, logger }: JobsOptions): Promise<Jobs> {
  const { db, pool } = database
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query(text, values),
      listen: async (channel, onNotification, onReconnect) =>
        listenTo(
          pool,
          channel,
          async (payload) => (payload === undefined ? onReconnect() : onNotification(payload)),
          logger,
        ),
    },
    migrate: false,
    schedule: false,
    useListenNotify: true,
    // How soon a job of a node that is gone runs again, on top of its heartbeat.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  })
  boss.on('error', (error) => logger.error({ err: error }, 'The background jobs met an error.'))
  boss.on('warning', ({ message, data }) => logger.warn({ data }, message))
  await mkdir(configuration.packageStore, { recursive: true }).catch((error: unknown) =>
    logger.warn({ err: error }, 'The package store is missing and cannot be made.'),
  )
  await boss.start()
  const stopping = new AbortController()
  for (const [queue, handle] of Object.entries(handlers)) {
    const worker: Promise<string> = boss.work(queue, { notifyPollingIntervalSeconds: 5 }, async (jobs) => {
      // Words about new jobs that come while it works are lost, so that it looks again at once.
      boss.notifyWorker(await worker)
      for (const { id, signal } of jobs)
        await runAttempt({ db, configuration, logger }, handle, id, AbortSignal.any([signal, stopping.signal]))
    })
    await worker
  }
  const wakeUps = startWakeUps({ db, settings: configuration, logger })
  return {
    async stop() {
      await wakeUps.stop()
      stopping.abort(new Error('The service stops.'))
      await boss.stop({ close: false })
    },
  }
}

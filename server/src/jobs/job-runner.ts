import { mkdir } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { PgBoss } from 'pg-boss'
import type { ConnectedDatabase, Database } from '../database/connect.ts'
import { listenTo } from '../database/listen.ts'
import type { Configuration } from '../platform/configuration.ts'
import type { Tracing } from '../platform/tracing/tracing.ts'
import { hasUnfinishedJobs } from './job-rows.ts'
import { openQueueActivity } from './queue-activity.ts'
import type { JobQueue } from './queues.ts'
import { type JobHandler, runAttempt } from './run-attempt.ts'
import { type PeriodicTask, startScheduler } from './scheduler.ts'

/** Statements of the queue are short. Jobs must not stop for longer because a connection fell silent. */
const queueDeadlineMs = 10_000

export type JobHandlers = Partial<Record<JobQueue, JobHandler>>

export type JobRunner = {
  /** Whether the queues are being watched: some statement of the queue is awaited or was recently. */
  isActive(): boolean
  /** Takes no more jobs. Jobs in progress go back to their queue and run again on another node or after a restart. */
  stop(): Promise<void>
}

export type JobRunnerOptions = {
  database: ConnectedDatabase
  configuration: Configuration
  logger: FastifyBaseLogger
  tracing?: Tracing | undefined
  handlers: JobHandlers
}

/** Runs the jobs of the queues. Any number of nodes may do so at once. */
export async function startJobRunner(options: JobRunnerOptions): Promise<JobRunner> {
  const { database, configuration, logger, tracing, handlers } = options
  const { background } = database.lanes
  const activity = openQueueActivity()
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) =>
        activity.track(background.query({ text, ...(values && { values }), query_timeout: queueDeadlineMs })),
      listen: async (channel, onNotification, onReconnect) =>
        listenTo(
          background.pool,
          channel,
          async (payload) => (payload === undefined ? onReconnect() : onNotification(payload)),
          logger,
        ),
    },
    migrate: false,
    schedule: false,
    useListenNotify: true,
    supervise: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  })
  boss.on('error', (error) => logger.error({ err: error }, 'The job runner failed.'))
  boss.on('warning', ({ message, data }) => logger.warn({ data }, message))
  await mkdir(configuration.packageStore, { recursive: true }).catch((error: unknown) =>
    logger.warn({ err: error }, 'The package store does not exist and cannot be created.'),
  )
  await boss.start()
  const supervision = startScheduler([superviseJobs(boss, background.db)], logger)
  const stopping = new AbortController()
  for (const [queue, handle] of Object.entries(handlers)) {
    const worker: Promise<string> = boss.work(queue, { notifyPollingIntervalSeconds: 5 }, async (jobs) => {
      // Notifications that arrive while a job runs are lost, so look for new jobs at once.
      boss.notifyWorker(await worker)
      for (const { id, signal } of jobs)
        await runAttempt(
          { db: background.db, configuration, logger, tracing },
          handle,
          id,
          AbortSignal.any([signal, stopping.signal]),
        )
    })
    await worker
  }
  return {
    isActive: activity.isActive,
    async stop() {
      stopping.abort(new Error('The service is stopping.'))
      await Promise.all([supervision.stop(), boss.stop({ close: false })])
    },
  }
}

/** How soon a job of a lost node runs again, in addition to its heartbeat. */
const superviseSeconds = 5
/** How soon what ended jobs leave behind is cleaned up. */
const maxUnsupervisedMs = 60_000

/** Supervises the queues while there are jobs. Each time, that takes a dozen statements. */
function superviseJobs(boss: PgBoss, db: Database): PeriodicTask {
  let supervisedAt = Number.NEGATIVE_INFINITY
  return {
    name: 'supervise jobs',
    intervalSeconds: superviseSeconds,
    async run() {
      const isOverdue = performance.now() - supervisedAt >= maxUnsupervisedMs
      if (!isOverdue && !(await hasUnfinishedJobs(db))) return undefined
      await boss.supervise()
      supervisedAt = performance.now()
      return undefined
    },
  }
}

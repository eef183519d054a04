import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { OpenedDatabase } from '../database/open.ts'
import type { Configuration } from '../platform/configuration.ts'
import { serveWorkerMetrics } from '../platform/metrics/worker-metrics.ts'
import { type Order, outcomeOf, type ToWorker } from './messages.ts'

const msBeforeReplacement = 1_000
// Above what a worker needs to finish its requests.
const longestStop = 9_000

export type Workers = {
  addresses: string[]
  reloadCertificate(): Promise<void>
  /** Lets every worker finish its requests. */
  stop(): Promise<void>
}

type Parts = { database: OpenedDatabase; configuration: Configuration; logger: FastifyBaseLogger }

/** Answers requests over HTTP in several processes, which share their addresses. One that dies is replaced. */
export async function startWorkers({ database, configuration, logger }: Parts): Promise<Workers> {
  cluster.setupPrimary({ exec: join(import.meta.dirname, '../worker.ts') })
  serveWorkerMetrics()
  const settings = settingsOfWorker(database.url, configuration)
  let isStopping = false

  function fork(): Worker {
    const worker = cluster.fork(settings)
    // One that cannot be talked to is about to exit, and that is what counts.
    worker.on('error', () => {})
    return worker
  }

  async function replaceWhenDead(worker: Worker): Promise<void> {
    const [code, signal] = await once(worker, 'exit')
    if (isStopping) return
    logger.error({ pid: worker.process.pid, code, signal }, 'A worker has died. Another takes its place.')
    await sleep(msBeforeReplacement, undefined, { ref: false })
    if (!isStopping) void replaceWhenDead(fork())
  }

  async function stop(): Promise<void> {
    isStopping = true
    await Promise.all(workers().map(stopWorker))
  }

  const started = Array.from({ length: configuration.workers }, fork)
  try {
    const [first] = await Promise.all(started.map(outcomeOf))
    for (const worker of started) void replaceWhenDead(worker)
    return { addresses: first?.addresses ?? [], reloadCertificate, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A worker is a service of one process on the same database. The connections are shared out, also to the first one. */
function settingsOfWorker(databaseUrl: string, { databaseConnections, workers }: Configuration) {
  return {
    MUSTER_DATABASE_URL: databaseUrl,
    MUSTER_DATABASE_CONNECTIONS: String(Math.max(2, Math.floor(databaseConnections / (workers + 1)))),
    MUSTER_WORKERS: '1',
  }
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}

function tell(worker: Worker, order: Order): void {
  if (worker.isConnected()) worker.send({ order } satisfies ToWorker)
}

async function reloadCertificate(): Promise<void> {
  await Promise.all(
    workers().map(async (worker) => {
      const outcome = outcomeOf(worker)
      tell(worker, 'reload certificate')
      await outcome
    }),
  )
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  const deadline = setTimeout(() => worker.process.kill('SIGKILL'), longestStop)
  tell(worker, 'stop')
  await ended
  clearTimeout(deadline)
}

import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { minConnections } from '../database/lanes.ts'
import type { OpenedDatabase } from '../database/open-database.ts'
import { programFile } from '../installation/files.ts'
import type { Configuration } from '../platform/configuration.ts'
import { serveWorkerMetrics } from '../platform/metrics/worker-metrics.ts'
import { workerStopMs } from '../platform/stop-in-time.ts'
import { type FromWorker, type ToWorker, type WorkerCommand, waitForOutcome } from './messages.ts'
import { closeUnacceptedConnections } from './unaccepted-connections.ts'
import { watchWorker } from './watch-worker.ts'

const replacementDelayMs = 1_000

export type Workers = {
  addresses: string[]
  reloadCertificate(): Promise<void>
  /** Passes on to the workers that the background work of this process runs. */
  recordJobBeat(): void
  /** Waits until every worker has finished its requests. */
  stop(): Promise<void>
}

type Parts = { database: OpenedDatabase; configuration: Configuration; logger: FastifyBaseLogger }

/**
 * Answers HTTP requests in several processes, which share their addresses. A worker that dies or hangs is replaced.
 * `noteActivity` is called when requests may have changed something.
 */
export async function startWorkers(
  { database, configuration, logger }: Parts,
  noteActivity: () => void,
): Promise<Workers> {
  cluster.setupPrimary({ exec: programFile('worker') })
  serveWorkerMetrics()
  const environment = workerEnvironment(database.url, configuration)
  let isStopping = false

  function fork(): Worker {
    const worker = cluster.fork(environment)
    // A worker that cannot receive messages is about to exit, which is handled below.
    worker.on('error', () => {})
    worker.on('message', ({ hasActivity }: FromWorker) => {
      if (hasActivity) noteActivity()
    })
    closeUnacceptedConnections(worker)
    watchWorker(worker, (symptom) => {
      logger.error({ pid: worker.process.pid }, `${symptom} It is being killed.`)
      killWorker(worker)
    })
    return worker
  }

  async function replaceWhenDead(worker: Worker): Promise<void> {
    // A worker can die before this is called, while others are starting.
    if (!worker.isDead()) await once(worker, 'exit')
    if (isStopping) return
    const { pid, exitCode, signalCode } = worker.process
    logger.error({ pid, code: exitCode, signal: signalCode }, 'A worker died. It is being replaced.')
    await sleep(replacementDelayMs, undefined, { ref: false })
    if (!isStopping) await replaceBy(fork())
  }

  /** A worker that cannot start, for example because the database is unavailable, would never answer a request. */
  async function replaceBy(worker: Worker): Promise<void> {
    void replaceWhenDead(worker)
    const { pid } = worker.process
    try {
      await waitForOutcome(worker)
      logger.info({ pid }, 'The replacement of a worker has started.')
    } catch (error) {
      if (!isStopping) logger.error({ pid }, `The replacement of a worker cannot start: ${(error as Error).message}`)
      killWorker(worker)
    }
  }

  async function stop(): Promise<void> {
    isStopping = true
    await Promise.all(listWorkers().map(stopWorker))
  }

  const started = Array.from({ length: configuration.workers }, fork)
  try {
    const [first] = await Promise.all(started.map(waitForOutcome))
    for (const worker of started) void replaceWhenDead(worker)
    return { addresses: first?.addresses ?? [], reloadCertificate, recordJobBeat, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A worker is a service with one process on the same database. All processes, this one included, share the connections. */
function workerEnvironment(databaseUrl: string, { databaseConnections, workers }: Configuration) {
  return {
    MUSTER_DATABASE_URL: databaseUrl,
    MUSTER_DATABASE_CONNECTIONS: String(Math.max(minConnections, Math.floor(databaseConnections / (workers + 1)))),
    MUSTER_WORKERS: '1',
  }
}

function listWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}

/** Also ends a process that is stopped or does not process events. */
function killWorker(worker: Worker): void {
  worker.process.kill('SIGKILL')
}

function sendCommand(worker: Worker, command: WorkerCommand): void {
  if (worker.isConnected()) worker.send({ command } satisfies ToWorker)
}

function recordJobBeat(): void {
  for (const worker of listWorkers()) if (worker.isConnected()) worker.send({ jobBeat: true } satisfies ToWorker)
}

async function reloadCertificate(): Promise<void> {
  await Promise.all(
    listWorkers().map(async (worker) => {
      const outcome = waitForOutcome(worker)
      sendCommand(worker, 'reload certificate')
      await outcome
    }),
  )
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return
  const exited = once(worker, 'exit')
  const deadline = setTimeout(() => killWorker(worker), workerStopMs)
  sendCommand(worker, 'stop')
  await exited
  clearTimeout(deadline)
}

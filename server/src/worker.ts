import type { FromWorker, ToWorker, WorkerOutcome } from './cluster/messages.ts'
import { openDatabase } from './database/open-database.ts'
import { serviceVersion } from './installation/version.ts'
import { readConfiguration } from './platform/configuration.ts'
import { ConfigurationError } from './platform/configuration-error.ts'
import { openLogger } from './platform/open-logger.ts'
import { openTracing } from './platform/tracing/open-tracing.ts'
import { type Serving, startServing } from './serve.ts'

// One of several processes that answer requests. A terminal sends its signals to all of them, so a worker ignores them
// and waits for the command of the primary process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

function report(outcome: WorkerOutcome): void {
  process.send?.({ outcome } satisfies FromWorker)
}

function reportProblem(error: unknown): void {
  const { message, name, code } = error as Error & { code?: string }
  // An error with a code and a wrong setting are for the operator to fix.
  report({ problem: message, code: code ?? (error instanceof ConfigurationError ? name : undefined) })
}

const noteMs = 100
let isNoted = false

/** Passes on that something may have changed, at most ten times a second. */
function noteActivity(): void {
  if (isNoted) return
  isNoted = true
  setTimeout(() => {
    isNoted = false
    process.send?.({ hasActivity: true } satisfies FromWorker)
  }, noteMs).unref()
}

async function start(): Promise<{ serving: Serving; close(): Promise<void> }> {
  const configuration = readConfiguration(process.env)
  const logger = openLogger(configuration.logLevel)
  const database = await openDatabase(configuration, { warn: (message) => logger.warn(message) })
  const tracing = await openTracing(configuration.otlp, { logger, version: serviceVersion })
  const serving = await startServing({ database, configuration, logger, tracing }, noteActivity)
  return {
    serving,
    async close() {
      await tracing?.close()
      await database.close()
    },
  }
}

const started = start()

async function reportAddresses(): Promise<void> {
  const { serving } = await started
  report({ addresses: serving.addresses })
}

async function reloadCertificate(): Promise<void> {
  const { serving } = await started
  await serving.reloadCertificate()
  await reportAddresses()
}

/** Works after a failed start as well: the primary process stops all workers once it has received their outcomes. */
async function stop(): Promise<void> {
  const running = await started.catch(() => undefined)
  await running?.serving.stop()
  await running?.close()
  process.exit()
}

process.on('message', ({ command, jobBeat }: Partial<ToWorker>) => {
  if (jobBeat) void started.then(({ serving }) => serving.recordJobBeat()).catch(() => undefined)
  if (command === 'reload certificate') reloadCertificate().catch(reportProblem)
  if (command === 'respond') process.send?.({ isResponding: true } satisfies FromWorker)
  if (command === 'stop') void stop()
})
reportAddresses().catch(reportProblem)

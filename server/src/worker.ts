import { pino } from 'pino'
import type { FromWorker, Outcome, ToWorker } from './cluster/messages.ts'
import { openDatabase } from './database/open.ts'
import { readConfiguration } from './platform/configuration.ts'
import { ConfigurationError } from './platform/configuration-error.ts'
import { type Serving, startServing } from './serve.ts'

// One of several processes that answer requests. The first process tells when to stop: it knows of all of them, while
// a terminal sends its signals to each.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

function tell(outcome: Outcome): void {
  process.send?.({ outcome } satisfies FromWorker)
}

function tellProblem(error: unknown): void {
  const { message, name, code } = error as Error & { code?: string }
  // What has a code is for the operator to mend, and so is a setting.
  tell({ problem: message, code: code ?? (error instanceof ConfigurationError ? name : undefined) })
}

async function start(): Promise<{ serving: Serving; close(): Promise<void> }> {
  const configuration = readConfiguration(process.env)
  const logger = pino({ level: configuration.logLevel })
  const database = await openDatabase(configuration, { warn: (message) => logger.warn(message) })
  const serving = await startServing({ database, configuration, logger })
  return { serving, close: database.close }
}

const started = start()

async function tellAddresses(): Promise<void> {
  const { serving } = await started
  tell({ addresses: serving.addresses })
}

async function reloadCertificate(): Promise<void> {
  const { serving } = await started
  await serving.reloadCertificate()
  await tellAddresses()
}

/** Also after a start that has failed: the first process knows when all have told what they had to tell. */
async function stop(): Promise<void> {
  const running = await started.catch(() => undefined)
  await running?.serving.stop()
  await running?.close()
  process.exit()
}

process.on('message', ({ order }: Partial<ToWorker>) => {
  if (order === 'reload certificate') reloadCertificate().catch(tellProblem)
  if (order === 'stop') void stop()
})
tellAddresses().catch(tellProblem)

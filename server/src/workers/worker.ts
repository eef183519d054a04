import { pino } from 'pino'
import { openDatabase } from '../database/open.ts'
import { readConfiguration } from '../platform/configuration.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'
import { type Serving, startServing } from '../serve.ts'
import type { FromWorker, Outcome, ToWorker } from './messages.ts'

// One of several processes that answer requests. The first process tells when to stop: it knows of all of them, while
// a terminal sends its signals to each.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

function tell(outcome: Outcome, onTold = () => {}): void {
  process.send?.({ outcome } satisfies FromWorker, undefined, undefined, onTold)
}

function tellProblem(error: unknown, onTold?: () => void): void {
  const { message, name, code } = error as Error & { code?: string }
  // What has a code is for the operator to mend, and so is a setting.
  tell({ problem: message, code: code ?? (error instanceof ConfigurationError ? name : undefined) }, onTold)
}

async function start(): Promise<{ serving: Serving; close(): Promise<void> }> {
  const configuration = readConfiguration(process.env)
  const logger = pino({ level: configuration.logLevel })
  const database = await openDatabase(configuration, { warn: (message) => logger.warn(message) })
  const serving = await startServing({ database, configuration, logger })
  return { serving, close: database.close }
}

try {
  const { serving, close } = await start()
  const stop = async () => {
    await serving.stop()
    await close()
    process.exit()
  }
  const tellAddresses = () => tell({ addresses: serving.addresses })
  process.on('message', ({ order }: Partial<ToWorker>) => {
    if (order === 'reload certificate')
      serving.reloadCertificate().then(tellAddresses, (error: unknown) => tellProblem(error))
    if (order === 'stop') void stop()
  })
  tellAddresses()
} catch (error) {
  tellProblem(error, () => process.disconnect())
}

import { pino } from 'pino'
import { ConfigurationError } from '../platform/configuration-error.ts'
import { readDepotConfiguration } from './depot-configuration.ts'
import { type RunningDepot, startDepot } from './start-depot.ts'

function stopOnSignal(depot: RunningDepot): void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return
    isStopping = true
    console.log(`${signal}: finishing what is under way`)
    depot.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => {
    depot.reloadCertificate().catch((error: unknown) => {
      console.error(`SIGHUP: the certificate stays as it is: ${(error as Error).message}`)
    })
  })
}

/** What the operator can mend is told in a sentence; anything else with its stack. */
function fail(error: unknown): never {
  const isExpected = error instanceof ConfigurationError || typeof (error as { code?: unknown }).code === 'string'
  console.error(isExpected ? `The depot cannot go on: ${(error as Error).message}` : error)
  process.exit(1)
}

try {
  const configuration = readDepotConfiguration(process.env)
  const depot = await startDepot(configuration, pino({ level: configuration.listeners.logLevel }))
  stopOnSignal(depot)
  console.log(`The depot is ready, listening on ${depot.addresses.join(' and ')}`)
} catch (error) {
  fail(error)
}

// The depot program. It runs on a machine near the computers it serves, copies packages from the master server and
// serves their files. It has no database and knows the service only through the depot channel (channels/depot).
import { print, printError } from '@muster/text/print'
import { ConfigurationError } from '../platform/configuration-error.ts'
import { openLogger } from '../platform/open-logger.ts'
import { readDepotConfiguration } from './depot-configuration.ts'
import { type RunningDepot, startDepot } from './start-depot.ts'

function stopOnSignal(depot: RunningDepot): void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return
    isStopping = true
    print(`${signal}: stopping after the downloads in progress`)
    depot.close().then(
      () => process.exit(0),
      (error: unknown) => fail('The depot did not stop cleanly', error),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => {
    depot.reloadCertificate().catch((error: unknown) => {
      printError(`SIGHUP: the certificate could not be reloaded and stays in use: ${(error as Error).message}`)
    })
  })
}

/** Prints a sentence for an error that the operator can fix, and the stack of any other error. */
function fail(what: string, error: unknown): never {
  const isExpected = error instanceof ConfigurationError || typeof (error as { code?: unknown }).code === 'string'
  printError(isExpected ? `${what}: ${(error as Error).message}` : error)
  process.exit(1)
}

try {
  const configuration = readDepotConfiguration(process.env)
  const depot = await startDepot(configuration, openLogger(configuration.listeners.logLevel))
  stopOnSignal(depot)
  print(`The depot is ready, listening on ${depot.addresses.join(' and ')}`)
} catch (error) {
  fail('The depot cannot start', error)
}

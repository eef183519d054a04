import { print, printError } from '@muster/text/print'
import { EmbeddedPostgresError } from './database/embedded-postgres/embedded-postgres-error.ts'
import { MigrationError } from './database/migrations/migration-error.ts'
import type { FirstAdministrator } from './features/principals/first-administrator.ts'
import { linkLifetimeMinutes } from './features/principals/sign-in-links.ts'
import { readConfiguration } from './platform/configuration.ts'
import { ConfigurationError } from './platform/configuration-error.ts'
import { openServiceManager } from './platform/systemd/service-manager.ts'
import { type RunningService, startService } from './start.ts'

// performance.now() counts from the start of the process, so the first phase includes loading the program.
let phaseStart = 0

function printPhase(phase: string, detail: string): void {
  const now = performance.now()
  print(`  ${phase.padEnd(12)} ${formatSeconds(now - phaseStart)}  ${detail}`)
  phaseStart = now
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}

async function printWelcome(service: RunningService): Promise<void> {
  const { addresses, firstAdministrator } = service
  print(`Ready after ${formatSeconds(performance.now())}, listening on ${addresses.join(' and ')}`)
  if (!firstAdministrator) return
  const { clientId, generatedSecret } = firstAdministrator
  const link = await createLink(service, firstAdministrator)
  if (link)
    print(`
Open this link in a browser${link.startsWith('https:') ? '' : ' on this machine'} to sign in. It works once, for ${linkLifetimeMinutes} minutes:

  ${link}`)
  print(`
First administrator (role admin.manage):
  client ID      ${clientId}
  client secret  ${generatedSecret ?? 'the value of MUSTER_BOOTSTRAP_CLIENT_SECRET'}
${generatedSecret ? 'The secret is shown only once. Store it in a safe place.\n' : ''}
Request a token and make a first call:
  TOKEN=$(curl -s ${addresses[0]}/api/auth/token -d grant_type=client_credentials \\
    -d client_id=${clientId} -d client_secret=${generatedSecret ?? '...'} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  curl -H "Authorization: Bearer $TOKEN" ${addresses[0]}/api/service/whoami

Or open ${addresses[0]}/ in a browser and sign in with the client ID and secret.
`)
}

/** If the secret is configured, the output shows nothing secret, unless a person looks at it: it may become a log. */
async function createLink(
  service: RunningService,
  { principalId, generatedSecret }: FirstAdministrator,
): Promise<string | undefined> {
  const isSecretShown = generatedSecret !== undefined || process.stdout.isTTY
  return isSecretShown ? service.createSignInLink(principalId) : undefined
}

// Under npm, Ctrl-C arrives twice: from the terminal and forwarded by npm.
const repeatedSignalMs = 1_000

// Supervisors kill after ten seconds.
const lastResortMs = 9_700

/** The first signal stops the service gracefully. A second one ends the process at once. */
function stopOnSignal(service: RunningService): void {
  let stoppingSince: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > repeatedSignalMs) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    print(`${signal}: stopping after the requests in progress`)
    serviceManager.reportStopping()
    setTimeout(() => {
      printError('Muster did not stop in time and was ended.')
      process.exit(1)
    }, lastResortMs).unref()
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => fail('Muster did not stop cleanly', error),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => {
    service.reloadCertificate().then(
      () => print('SIGHUP: the certificate was reloaded'),
      (error: unknown) =>
        printError(`SIGHUP: the certificate could not be reloaded and stays in use: ${(error as Error).message}`),
    )
  })
}

/** For systemd: a restart would not help (EX_CONFIG of sysexits.h). */
const wrongSettingsStatus = 78

/** Prints a sentence for an error that the operator can fix, and the stack of any other error. */
function fail(what: string, error: unknown): never {
  const { code, name } = error as { code?: unknown; name?: unknown }
  const isExpected =
    [ConfigurationError, EmbeddedPostgresError, MigrationError].some((kind) => error instanceof kind) ||
    // Errors of the system or of PostgreSQL: a port in use, a missing file, a wrong password.
    typeof code === 'string'
  printError(isExpected ? `${what}: ${(error as Error).message}` : error)
  // A worker reports the name of the error as its code.
  process.exit([code, name].includes(ConfigurationError.name) ? wrongSettingsStatus : 1)
}

const serviceManager = openServiceManager(process.env)
print('Starting Muster')
printPhase('program', `Node ${process.version}`)
try {
  const service = await startService(readConfiguration(process.env), printPhase)
  stopOnSignal(service)
  serviceManager.reportReady(`Listening on ${service.addresses.join(' and ')}`)
  await printWelcome(service)
} catch (error) {
  fail('Muster cannot start', error)
}

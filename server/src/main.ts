import { EmbeddedPostgresError } from './database/embedded-postgres/embedded-postgres-error.ts'
import { MigrationError } from './database/migrate.ts'
import { readConfiguration } from './platform/configuration.ts'
import { ConfigurationError } from './platform/configuration-error.ts'
import { type RunningService, startService } from './start.ts'

// performance.now() counts from the start of the process, so that loading the program is measured too.
let phaseBegan = 0

function printPhase(phase: string, detail: string): void {
  const now = performance.now()
  console.log(`  ${phase.padEnd(12)} ${seconds(now - phaseBegan)}  ${detail}`)
  phaseBegan = now
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}

function printWelcome({ addresses, firstAdministrator }: RunningService): void {
  console.log(`Ready after ${seconds(performance.now())}, listening on ${addresses.join(' and ')}`)
  if (!firstAdministrator) return
  const { clientId, generatedSecret } = firstAdministrator
  console.log(`
First administrator, with the role admin.manage:
  client id      ${clientId}
  client secret  ${generatedSecret ?? 'as given in MUSTER_BOOTSTRAP_CLIENT_SECRET'}
${generatedSecret ? 'The secret is shown this once. Keep it.\n' : ''}
Get a token, then make a first call:
  TOKEN=$(curl -s ${addresses[0]}/api/auth/token -d grant_type=client_credentials \\
    -d client_id=${clientId} -d client_secret=${generatedSecret ?? '...'} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  curl -H "Authorization: Bearer $TOKEN" ${addresses[0]}/api/service/whoami

Or open ${addresses[0]}/admin in a browser and sign in with them.
`)
}

// Ctrl-C under npm comes twice: from the terminal, and passed on by npm.
const sameSignalMs = 1_000

/** Ends on the first signal; a later one does not wait. */
function stopOnSignal(service: RunningService): void {
  let stopping: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (stopping !== undefined) {
      if (performance.now() - stopping > sameSignalMs) process.exit(1)
      return
    }
    stopping = performance.now()
    console.log(`${signal}: finishing what is under way`)
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => {
    service.reloadCertificate().then(
      () => console.log('SIGHUP: the certificate was read again'),
      (error: unknown) => console.error(`SIGHUP: the certificate stays as it is: ${(error as Error).message}`),
    )
  })
}

/** What the operator can mend is told in a sentence; anything else with its stack. */
function fail(error: unknown): never {
  const { code } = error as { code?: unknown }
  const isExpected =
    [ConfigurationError, EmbeddedPostgresError, MigrationError].some((kind) => error instanceof kind) ||
    // From the system or from PostgreSQL: a port that is taken, a file that is missing, a wrong password.
    typeof code === 'string'
  console.error(isExpected ? `Muster cannot go on: ${(error as Error).message}` : error)
  process.exit(1)
}

console.log('Muster is starting')
printPhase('program', `Node ${process.version}`)
try {
  const service = await startService(readConfiguration(process.env), printPhase)
  stopOnSignal(service)
  printWelcome(service)
} catch (error) {
  fail(error)
}

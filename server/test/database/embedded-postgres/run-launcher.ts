type Launcher = typeof import('../../../src/database/embedded-postgres/start-embedded-postgres.ts')
type Errors = typeof import('../../../src/database/embedded-postgres/embedded-postgres-error.ts')

// A stand-in for Muster: starts the launcher, tells what happens on its standard output, and can be killed.
const { embedded, dataDirectory, settings, arch } = JSON.parse(process.argv[2] ?? '{}')
if (arch) Object.defineProperty(process, 'arch', { value: arch })

const { startEmbeddedPostgres }: Launcher = await import(`${embedded}/start-embedded-postgres.ts`)
const { EmbeddedPostgresError }: Errors = await import(`${embedded}/embedded-postgres-error.ts`)

function tell(kind: string, content: unknown): void {
  process.stdout.write(`${JSON.stringify({ kind, content })}\n`)
}

try {
  const begin = performance.now()
  const { connection, stop } = await startEmbeddedPostgres({
    dataDirectory,
    settings,
    report: (phase: string) => tell('phase', phase),
    warn: (message: string) => tell('warning', message),
  })
  tell('ready', { connection, milliseconds: performance.now() - begin })
  process.once('SIGTERM', () => void stop().then(() => process.exit(0)))
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error
  tell('refused', { code: error.code, message: error.message })
  process.exitCode = 1
}

type Launcher = typeof import('../../../src/database/embedded-postgres/start-embedded-postgres.ts')
type Errors = typeof import('../../../src/database/embedded-postgres/embedded-postgres-error.ts')

// Runs the launcher in place of Muster and reports its events as JSON lines on the standard output.
const { embedded, dataDirectory, settings, arch } = JSON.parse(process.argv[2] ?? '{}')
if (arch) Object.defineProperty(process, 'arch', { value: arch })

const { startEmbeddedPostgres }: Launcher = await import(`${embedded}/start-embedded-postgres.ts`)
const { EmbeddedPostgresError }: Errors = await import(`${embedded}/embedded-postgres-error.ts`)

function report(kind: string, content: unknown): void {
  process.stdout.write(`${JSON.stringify({ kind, content })}\n`)
}

try {
  const begin = performance.now()
  const { connection, stop } = await startEmbeddedPostgres({
    dataDirectory,
    settings,
    report: (phase: string) => report('phase', phase),
    warn: (message: string) => report('warning', message),
  })
  report('ready', { connection, milliseconds: performance.now() - begin })
  process.once('SIGTERM', () => void stop().then(() => process.exit(0)))
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error
  report('refused', { code: error.code, message: error.message })
  process.exitCode = 1
}

import { type ParseArgsConfig, parseArgs } from 'node:util'
import { BackupError } from '../database/backup/backup-error.ts'
import { EmbeddedPostgresError } from '../database/embedded-postgres/embedded-postgres-error.ts'
import { MigrationError } from '../database/migrate.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'

export type Command = {
  help: string
  options?: ParseArgsConfig['options']
  run(argument: { file: string; flags: Record<string, unknown>; signal: AbortSignal }): Promise<string>
}

/** Exit codes: 0 done, 1 failed or interrupted, 2 called in a wrong way. */
export async function runCommand({ help, options = {}, run }: Command): Promise<never> {
  const interruption = new AbortController()
  // The first signal ends in good order; a second one finds no listener and does not wait.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  const { file, flags } = readArguments(help, options)
  try {
    console.error(await run({ file, flags, signal: interruption.signal }))
    process.exit(0)
  } catch (error) {
    console.error(interruption.signal.aborted ? 'Interrupted. Nothing was changed.' : told(error))
    process.exit(1)
  }
}

function readArguments(help: string, options: NonNullable<ParseArgsConfig['options']>) {
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    if (values.help) {
      console.log(help)
      process.exit(0)
    }
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new Error('Give the name of one file.')
    return { file, flags: values as Record<string, unknown> }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`)
    process.exit(2)
  }
}

/** What the operator can mend is told in a sentence; anything else with its stack. */
function told(error: unknown): unknown {
  const isExpected = [BackupError, ConfigurationError, EmbeddedPostgresError, MigrationError].some(
    (kind) => error instanceof kind,
  )
  const { code, message } = error as NodeJS.ErrnoException
  // From the system or from PostgreSQL: a full disk, a wrong password, a server that went away.
  return isExpected || typeof code === 'string' ? message : error
}

import { type ParseArgsConfig, parseArgs } from 'node:util'
import { BackupError } from '../database/backup/backup-error.ts'
import { EmbeddedPostgresError } from '../database/embedded-postgres/embedded-postgres-error.ts'
import { MigrationError } from '../database/migrate.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'

export type Command = {
  help: string
  options?: ParseArgsConfig['options']
  /** What the argument may be, if it is not the name of a file. */
  actions?: readonly string[]
  run(argument: { file: string; flags: Record<string, unknown>; signal: AbortSignal }): Promise<string>
}

/** Runs a command and exits: 0 for success, 1 for a failure or interruption, 2 for wrong arguments. */
export async function runCommand({ help, options = {}, actions, run }: Command): Promise<never> {
  const interruption = new AbortController()
  // The first signal interrupts the command gracefully. A second one has no listener and ends the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  const { file, flags } = readArguments(help, options, actions)
  try {
    console.error(await run({ file, flags, signal: interruption.signal }))
    process.exit(0)
  } catch (error) {
    console.error(interruption.signal.aborted ? 'Interrupted. Nothing was changed.' : describeError(error))
    process.exit(1)
  }
}

function readArguments(
  help: string,
  options: NonNullable<ParseArgsConfig['options']>,
  actions: readonly string[] | undefined,
) {
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
    if (!file || more.length > 0 || actions?.includes(file) === false)
      throw new Error(`Expected ${actions ? actions.join(' or ') : 'the name of one file'}.`)
    return { file, flags: values as Record<string, unknown> }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`)
    process.exit(2)
  }
}

/** The message of an error that the operator can fix; any other error with its stack. */
function describeError(error: unknown): unknown {
  const isExpected = [BackupError, ConfigurationError, EmbeddedPostgresError, MigrationError].some(
    (kind) => error instanceof kind,
  )
  const { code, message } = error as NodeJS.ErrnoException
  // Errors of the system or of PostgreSQL: a full disk, a wrong password, a lost connection.
  return isExpected || typeof code === 'string' ? message : error
}

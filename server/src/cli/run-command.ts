import { type ParseArgsConfig, parseArgs } from 'node:util'
import { print, printError } from '@muster/text/print'
import { BackupError } from '../database/backup/backup-error.ts'
import { EmbeddedPostgresError } from '../database/embedded-postgres/embedded-postgres-error.ts'
import { MigrationError } from '../database/migrations/migration-error.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'

export type Command = {
  help: string
  options?: ParseArgsConfig['options']
  /** Whether these arguments are valid; by default, exactly one, the name of a file. */
  accepts?: (names: readonly string[]) => boolean
  /** Printed if a signal ends the command. */
  interruption?: string
  run(argument: {
    /** The first argument. */
    file: string
    names: readonly string[]
    flags: Record<string, unknown>
    signal: AbortSignal
  }): Promise<string>
}

const isOneName = (names: readonly string[]) => names.length === 1

/** Runs a command and exits: 0 for success, 1 for a failure or interruption, 2 for wrong arguments. */
export async function runCommand({
  help,
  options = {},
  accepts = isOneName,
  interruption: message = 'Interrupted. Nothing was changed.',
  run,
}: Command): Promise<never> {
  const interruption = new AbortController()
  // The first signal interrupts the command gracefully. A second one has no listener and ends the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  const { names, flags } = readArguments(help, options, accepts)
  try {
    printError(await run({ file: names[0] ?? '', names, flags, signal: interruption.signal }))
    process.exit(0)
  } catch (error) {
    printError(interruption.signal.aborted ? message : describeError(error))
    process.exit(1)
  }
}

function readArguments(
  help: string,
  options: NonNullable<ParseArgsConfig['options']>,
  accepts: (names: readonly string[]) => boolean,
) {
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    if (values.help) {
      print(help)
      process.exit(0)
    }
    if (!accepts(positionals))
      throw new Error(accepts === isOneName ? 'Expected the name of one file.' : 'Unknown arguments.')
    return { names: positionals, flags: values as Record<string, unknown> }
  } catch (error) {
    printError(`${(error as Error).message}\n\n${help}`)
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

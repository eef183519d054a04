import { CommanderError } from 'commander'
import { detailedExitCode } from './command.ts'
import { describeError } from './describe-error.ts'
import { CommandFailure, ExitCode, UsageError } from './errors.ts'
import { visibleTerminal } from './output/visible-terminal.ts'
import { buildProgram } from './program.ts'
import type { Terminal } from './terminal.ts'

/**
 * Runs a command and returns the exit code: 0 for success, 1 if something failed, 2 for wrong use. With `--detailed-exitcode`, 2
 * stands for changes, so wrong use is 1.
 */
export async function run(argumentList: readonly string[], rawTerminal: Terminal): Promise<number> {
  const terminal = visibleTerminal(rawTerminal)
  const wrongUse = argumentList.includes(detailedExitCode) ? 1 : 2
  try {
    await buildProgram(terminal).parseAsync([...argumentList], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof ExitCode) return error.code
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUse
    const isExplained = !terminal.signal.aborted || error instanceof CommandFailure
    terminal.note(`${isExplained ? describeError(error, terminal.environment) : 'Interrupted.'}\n`)
    return error instanceof UsageError ? wrongUse : 1
  }
}

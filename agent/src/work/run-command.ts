import { messageOf } from '../expected-error.ts'
import type { CommandProcess, GatedProcess, ProcessExit, Processes } from '../platform/processes.ts'
import type { PackageCommand } from '../protocol.ts'
import type { ResolvedCommand } from './declared/declaration.ts'
import { outputTail } from './output-tail.ts'

export type CommandRun = {
  command: ResolvedCommand
  folder: string
  environment: NodeJS.ProcessEnv
  /** Redacted in the output. */
  secrets?: readonly string[]
  /** Called while the process waits at its gate. The command starts afterwards, and not at all if this fails. */
  beforeStart?: (process: CommandProcess) => Promise<void>
}

export type CommandEnd = {
  outcome: 'success' | 'reboot' | 'failed'
  exitCode: number | null
  output: string
  errorText: string | null
  /** Set if the command could not be started. */
  startError?: unknown
}

type Exit = ProcessExit & { isTimedOut: boolean }

const killDelayMs = 5_000

export async function runCommand(processes: Processes, run: CommandRun): Promise<CommandEnd> {
  const tail = outputTail(run.secrets ?? [])
  const { argv, shell, installer, timeLimitMinutes } = run.command
  const system = installer && { name: 'msiexec', line: installer.line }
  const { folder, environment } = run
  const started = await processes
    .start({ argv, shell, system, folder, environment, onOutput: (chunk) => tail.write(chunk) })
    .catch((error: unknown) => ({ startError: error }))
  if ('startError' in started) {
    const errorText = `The command could not be started: ${messageOf(started.startError)}.`
    return { outcome: 'failed', exitCode: null, output: '', errorText, startError: started.startError }
  }
  try {
    await run.beforeStart?.(started.process)
  } catch (error) {
    await started.abandon()
    throw error
  }
  started.begin()
  const exit = await waitForExit(processes, started, timeLimitMinutes * 60_000)
  await started.finishOutput()
  return { ...judgeExit(run.command, exit), output: tail.text() }
}

/** Formats a command the way it is typed in a shell. */
export function commandLineOf({ argv, shell, installer }: ResolvedCommand): string {
  if (installer) return `msiexec ${installer.shownLine}`
  if (shell !== undefined) return shell
  return (argv ?? [])
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}

async function waitForExit(
  processes: Processes,
  { process, exited }: GatedProcess,
  milliseconds: number,
): Promise<Exit> {
  let isTimedOut = false
  let force: NodeJS.Timeout | undefined
  const limit = setTimeout(() => {
    isTimedOut = true
    processes.endTree(process, 'ask')
    force = setTimeout(() => processes.endTree(process, 'kill'), killDelayMs)
  }, milliseconds)
  const exit = await exited
  clearTimeout(limit)
  clearTimeout(force)
  // Child processes may have outlived the command.
  if (isTimedOut) processes.endTree(process, 'kill')
  return { ...exit, isTimedOut }
}

function judgeExit(command: PackageCommand, { exitCode, signal, isTimedOut }: Exit): Omit<CommandEnd, 'output'> {
  if (isTimedOut) {
    const errorText = `The command was stopped after its time limit of ${command.timeLimitMinutes} minutes.`
    return { outcome: 'failed', exitCode, errorText }
  }
  if (exitCode === null) return { outcome: 'failed', exitCode, errorText: `The command was killed by ${signal}.` }
  if (command.rebootCodes.includes(exitCode)) return { outcome: 'reboot', exitCode, errorText: null }
  if (command.successCodes.includes(exitCode)) return { outcome: 'success', exitCode, errorText: null }
  return { outcome: 'failed', exitCode, errorText: `The command exited with code ${exitCode}.` }
}

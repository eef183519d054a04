import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../expected-error.ts'
import { signalGroup } from '../machine/processes.ts'
import type { PackageCommand } from '../protocol.ts'
import { outputTail } from './output-tail.ts'

export type CommandRun = {
  command: PackageCommand
  folder: string
  environment: NodeJS.ProcessEnv
  /** Redacted in the output. */
  secrets?: readonly string[]
  /** Called while the process waits at its gate. The command starts afterwards, and not at all if this fails. */
  beforeStart?: (pid: number) => Promise<void>
}

export type CommandEnd = {
  outcome: 'success' | 'reboot' | 'failed'
  exitCode: number | null
  output: string
  errorText: string | null
  /** Set if the command could not be started. */
  startError?: unknown
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>
type Exit = { exitCode: number | null; signal: NodeJS.Signals | null; isTimedOut: boolean }

const killDelayMs = 5_000
const lastOutputMs = 1_000

/** Waits for a line on stdin, so no command runs that is not in the journal. If the agent dies first, it reads EOF. */
const gate = 'IFS= read -r go && exec "$@" < /dev/null'

export async function runCommand(run: CommandRun): Promise<CommandEnd> {
  const tail = outputTail(run.secrets ?? [])
  const child = await spawnGated(run).catch((error: unknown) => ({ startError: error }))
  if ('startError' in child) {
    const errorText = `The command could not be started: ${messageOf(child.startError)}.`
    return { outcome: 'failed', exitCode: null, output: '', errorText, startError: child.startError }
  }
  child.stdout.on('data', (chunk: Buffer) => tail.write(chunk))
  child.stderr.on('data', (chunk: Buffer) => tail.write(chunk))
  // The command may exit without reading stdin.
  child.stdin.on('error', () => undefined)
  const closed = once(child, 'close')
  const exited = once(child, 'exit')
  try {
    await run.beforeStart?.(child.pid)
  } catch (error) {
    child.stdin.end()
    await exited
    throw error
  }
  child.stdin.end('go\n')
  const exit = await waitForExit(child.pid, exited, run.command.timeLimitMinutes * 60_000)
  // A service started by the command may keep the pipes open.
  await Promise.race([closed, sleep(lastOutputMs, undefined, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()
  return { ...judgeExit(run.command, exit), output: tail.text() }
}

/** Formats a command the way it is typed in a shell. */
export function commandLineOf({ argv, shell }: PackageCommand): string {
  if (shell !== undefined) return shell
  return (argv ?? [])
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}

async function spawnGated({ command, folder, environment }: CommandRun): Promise<Child & { pid: number }> {
  const argv = command.shell === undefined ? (command.argv ?? []) : ['/bin/sh', '-c', command.shell]
  if (argv.length === 0) throw new Error('it is empty')
  const child: Child = spawn('/bin/sh', ['-c', gate, 'muster-agent', ...argv], {
    cwd: folder,
    env: environment,
    // A process group of its own, so the whole group can be signalled.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  await once(child, 'spawn')
  if (child.pid === undefined) throw new Error('it has no process')
  return child as Child & { pid: number }
}

async function waitForExit(pid: number, exited: Promise<unknown[]>, milliseconds: number): Promise<Exit> {
  let isTimedOut = false
  let force: NodeJS.Timeout | undefined
  const limit = setTimeout(() => {
    isTimedOut = true
    signalGroup(pid, 'SIGTERM')
    force = setTimeout(() => signalGroup(pid, 'SIGKILL'), killDelayMs)
  }, milliseconds)
  const [exitCode, signal] = (await exited) as [number | null, NodeJS.Signals | null]
  clearTimeout(limit)
  clearTimeout(force)
  // Child processes may have outlived the command.
  if (isTimedOut) signalGroup(pid, 'SIGKILL')
  return { exitCode, signal, isTimedOut }
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

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
  /** Taken out of the output. */
  secrets?: readonly string[]
  /** The process is there and waits. The command begins when this is over, and does not if it fails. */
  beforeStart?: (pid: number) => Promise<void>
}

export type CommandEnd = {
  outcome: 'success' | 'reboot' | 'failed'
  exitCode: number | null
  output: string
  errorText: string | null
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>
type Exit = { exitCode: number | null; signal: NodeJS.Signals | null; isTimeOver: boolean }

const patienceMs = 5_000
const lastOutputMs = 1_000

/** Waits for a line, so that nothing runs that is not in the journal: if the agent dies first, it reads an end. */
const gate = 'IFS= read -r go && exec "$@" < /dev/null'

export async function runCommand(run: CommandRun): Promise<CommandEnd> {
  const tail = outputTail(run.secrets ?? [])
  const child = await spawned(run).catch((error: unknown) => messageOf(error))
  if (typeof child === 'string')
    return { outcome: 'failed', exitCode: null, output: '', errorText: `The command could not be started: ${child}.` }
  child.stdout.on('data', (piece: Buffer) => tail.write(piece))
  child.stderr.on('data', (piece: Buffer) => tail.write(piece))
  // A command may end without having read; nothing is lost with that.
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
  const exit = await withinTime(child.pid, exited, run.command.timeLimitMinutes * 60_000)
  // A service that the command has started may keep the pipes open for as long as it lives.
  await Promise.race([closed, sleep(lastOutputMs, undefined, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()
  return { ...judged(run.command, exit), output: tail.text() }
}

/** A command as people write it. */
export function commandLineOf({ argv, shell }: PackageCommand): string {
  if (shell !== undefined) return shell
  return (argv ?? [])
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}

async function spawned({ command, folder, environment }: CommandRun): Promise<Child & { pid: number }> {
  const argv = command.shell === undefined ? (command.argv ?? []) : ['/bin/sh', '-c', command.shell]
  if (argv.length === 0) throw new Error('it is empty')
  const child: Child = spawn('/bin/sh', ['-c', gate, 'muster-agent', ...argv], {
    cwd: folder,
    env: environment,
    // A group of its own, so that all of it can be ended.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  await once(child, 'spawn')
  if (child.pid === undefined) throw new Error('it has no process')
  return child as Child & { pid: number }
}

async function withinTime(pid: number, exited: Promise<unknown[]>, milliseconds: number): Promise<Exit> {
  let isTimeOver = false
  let force: NodeJS.Timeout | undefined
  const limit = setTimeout(() => {
    isTimeOver = true
    signalGroup(pid, 'SIGTERM')
    force = setTimeout(() => signalGroup(pid, 'SIGKILL'), patienceMs)
  }, milliseconds)
  const [exitCode, signal] = (await exited) as [number | null, NodeJS.Signals | null]
  clearTimeout(limit)
  clearTimeout(force)
  // Its children may have outlived it, and nobody waits for them any more.
  if (isTimeOver) signalGroup(pid, 'SIGKILL')
  return { exitCode, signal, isTimeOver }
}

function judged(command: PackageCommand, { exitCode, signal, isTimeOver }: Exit): Omit<CommandEnd, 'output'> {
  if (isTimeOver) {
    const errorText = `The command was ended after its time limit of ${command.timeLimitMinutes} minutes.`
    return { outcome: 'failed', exitCode, errorText }
  }
  if (exitCode === null) return { outcome: 'failed', exitCode, errorText: `The command was ended by ${signal}.` }
  if (command.rebootCodes.includes(exitCode)) return { outcome: 'reboot', exitCode, errorText: null }
  if (command.successCodes.includes(exitCode)) return { outcome: 'success', exitCode, errorText: null }
  return { outcome: 'failed', exitCode, errorText: `The command ended with code ${exitCode}.` }
}

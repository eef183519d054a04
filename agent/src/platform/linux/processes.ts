import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../expected-error.ts'
import { requirePassable } from '../common/environment.ts'
import type { CommandProcess, CommandStart, GatedProcess, ProcessExit, Processes } from '../processes.ts'
import { bootId } from './system-state.ts'

type Child = ChildProcessByStdio<Writable, Readable, Readable> & { pid: number }

const lastOutputMs = 1_000

/** MAX_ARG_STRLEN of Linux. */
const variableLimit = { max: 131_072, unit: 'bytes', lengthOf: (variable: string) => Buffer.byteLength(variable) }

/** Waits for a line on stdin, so a command that is not in the journal never runs. If the agent dies first, it reads EOF. */
const gate = 'IFS= read -r go && exec "$@" < /dev/null'

export const processes: Processes = {
  async start(start) {
    const child = await spawnGated(start).catch(explainSize)
    child.stdout.on('data', start.onOutput)
    child.stderr.on('data', start.onOutput)
    // The command may exit without reading stdin.
    child.stdin.on('error', () => undefined)
    return toGated(child, await identifyProcess(child.pid))
  },
  async isAlive({ pid, startTicks, bootId: boot }) {
    if (boot !== bootId()) return false
    const found = await statusOf(pid)
    return found !== undefined && found.startTicks === startTicks && found.state !== 'Z'
  },
  endTree: ({ pid }, how) => signalGroup(pid, how === 'ask' ? 'SIGTERM' : 'SIGKILL'),
  runShell,
}

async function spawnGated({ argv, shell, folder, environment }: CommandStart): Promise<Child> {
  requirePassable(environment, variableLimit)
  const words = shell === undefined ? (argv ?? []) : ['/bin/sh', '-c', shell]
  if (words.length === 0) throw new Error('it is empty')
  const child = spawn('/bin/sh', ['-c', gate, 'muster-agent', ...words], {
    cwd: folder,
    env: environment,
    // A process group of its own, so the whole group can be signalled.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  await once(child, 'spawn')
  if (child.pid === undefined) throw new Error('it has no process')
  return child as Child
}

/** All variables and words together have a limit as well. */
function explainSize(error: unknown): never {
  if (codeOf(error) !== 'E2BIG') throw error
  throw new Error('the variables of the computer are longer together than this system allows', { cause: error })
}

function toGated(child: Child, process: CommandProcess): GatedProcess {
  const closed = once(child, 'close')
  const exited = once(child, 'exit').then(([exitCode, signal]): ProcessExit => ({ exitCode, signal }))
  return {
    process,
    begin: () => void child.stdin.end('go\n'),
    async abandon() {
      child.stdin.end()
      await exited
    },
    exited,
    async finishOutput() {
      await Promise.race([closed, sleep(lastOutputMs, undefined, { ref: false })])
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}

async function identifyProcess(pid: number): Promise<CommandProcess> {
  return { pid, startTicks: (await statusOf(pid))?.startTicks ?? '', bootId: bootId() }
}

/** Signals a process group; does nothing if it no longer exists. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

export async function statusOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // The program name is in parentheses and may contain anything, so fields are counted from the last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0], startTicks: fields[19] ?? '' }
}

export async function runShell(line: string, environment: NodeJS.ProcessEnv): Promise<number | null> {
  const child = spawn('/bin/sh', ['-c', line], { stdio: ['ignore', 'inherit', 'inherit'], env: environment })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

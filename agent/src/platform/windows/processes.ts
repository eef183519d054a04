import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandProcess, CommandStart, GatedProcess, ProcessExit, Processes } from '../processes.ts'
import { toShellLine } from './command-line.ts'
import { createJob, endJob, type Job, keepJobWith, setEndsWithAgent } from './job.ts'
import { openOutputPipe } from './output-pipe.ts'
import { findShellFault } from './shell-fault.ts'
import { bootId } from './system-state.ts'
import { createSuspended, type Suspended } from './win32/create-process.ts'
import { kernel32, withHandle } from './win32/kernel.ts'
import { check } from './win32/system-error.ts'

const queryAndWait = 0x1000 | 0x10_0000
const terminate = 0x1
const timedOut = 0x102
const pollMs = 50

export const processes: Processes = {
  async start(start) {
    const output = await openOutputPipe(start.onOutput)
    const job = createJob()
    // Until the command begins, nothing of it survives the agent.
    setEndsWithAgent(job, true)
    try {
      return toGated(createInJob(start, job, output.handle), job, output.finish)
    } catch (error) {
      kernel32.CloseHandle(job.handle)
      throw error
    } finally {
      kernel32.CloseHandle(output.handle)
    }
  },
  isAlive: async (process) => withProcess(process, queryAndWait, () => true) ?? false,
  /** Windows has no way to ask a program without a window to end. */
  endTree(process) {
    if (process.group !== undefined && endJob(process.group)) return
    withProcess(process, queryAndWait | terminate, (handle) => kernel32.TerminateProcess(handle, 1))
  },
  findShellFault,
  async runShell(line, environment) {
    const { program, words } = toShellLine(line, environment)
    const child = spawn(program, words, {
      windowsVerbatimArguments: true,
      windowsHide: true,
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  },
}

/** The process is in the job before its first instruction, so nothing that it starts can be outside. */
function createInJob(start: CommandStart, job: Job, output: number): Suspended {
  const child = createSuspended(start, output)
  try {
    check('The command could not be added to its job', kernel32.AssignProcessToJobObject(job.handle, child.process))
    return child
  } catch (error) {
    kernel32.TerminateProcess(child.process, 1)
    child.close()
    throw error
  }
}

function toGated(child: Suspended, job: Job, finishOutput: () => Promise<void>): GatedProcess {
  const process: CommandProcess = {
    pid: child.pid,
    startTicks: startTicksOf(child.process),
    bootId: bootId(),
    group: job.name,
  }
  const exited = waitForExit(child, job)
  return {
    process,
    begin() {
      kernel32.ResumeThread(child.thread)
      // From now on the command survives the agent, like one on Linux, and the next agent judges what became of it.
      keepJobWith(child.process, job)
      setEndsWithAgent(job, false)
    },
    async abandon() {
      endJob(job.name)
      await exited
    },
    exited,
    finishOutput,
  }
}

async function waitForExit(child: Suspended, job: Job): Promise<ProcessExit> {
  while (!hasEnded(child.process)) await sleep(pollMs)
  const code = [0]
  check('The exit code could not be read', kernel32.GetExitCodeProcess(child.process, code))
  child.close()
  kernel32.CloseHandle(job.handle)
  return { exitCode: code[0] ?? null, signal: null }
}

/** Calls `use` with a handle of the process; returns undefined if it has ended or another process has its id. */
function withProcess<T>({ pid, startTicks, bootId: boot }: CommandProcess, access: number, use: (handle: number) => T) {
  if (boot !== bootId()) return undefined
  const handle = kernel32.OpenProcess(access, 0, pid)
  if (handle === 0) return undefined
  return withHandle(handle, () => (startTicksOf(handle) === startTicks && !hasEnded(handle) ? use(handle) : undefined))
}

function hasEnded(handle: number): boolean {
  return kernel32.WaitForSingleObject(handle, 0) !== timedOut
}

/** The time at which a process was created, in units of 100 ns. */
function startTicksOf(handle: number): string {
  const created = [0n]
  check('The start of a process could not be read', kernel32.GetProcessTimes(handle, created, [0n], [0n], [0n]))
  return String(created[0])
}

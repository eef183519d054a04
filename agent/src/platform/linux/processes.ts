import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { CommandProcess } from '../state/journal.ts'

/** Changes with every boot. */
export function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/** Identifies a process in a way that survives the reuse of its PID. */
export async function identifyProcess(pid: number): Promise<CommandProcess> {
  return { pid, startTicks: (await statusOf(pid))?.startTicks ?? '', bootId: bootId() }
}

/** Whether the command itself is still running. Services that it started do not count. */
export async function isAlive({ pid, startTicks, bootId: boot }: CommandProcess): Promise<boolean> {
  if (boot !== bootId()) return false
  const found = await statusOf(pid)
  return found !== undefined && found.startTicks === startTicks && found.state !== 'Z'
}

/** Signals a process group; does nothing if it no longer exists. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function statusOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // The program name is in parentheses and may contain anything, so fields are counted from the last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0], startTicks: fields[19] ?? '' }
}

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { CommandProcess } from '../state/journal.ts'

/** Changes with every start of the system. */
export function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/** A process as it can be recognised later, also when its number was given to another one. */
export async function identified(pid: number): Promise<CommandProcess> {
  return { pid, startTicks: (await statusOf(pid))?.startTicks ?? '', bootId: bootId() }
}

/** Whether the command itself still runs; services that it has started do not count. */
export async function isAlive({ pid, startTicks, bootId: boot }: CommandProcess): Promise<boolean> {
  if (boot !== bootId()) return false
  const found = await statusOf(pid)
  return found !== undefined && found.startTicks === startTicks && found.state !== 'Z'
}

/** To a whole process group; one that is gone already is no mistake. */
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
  // The name of the program stands in brackets and may hold anything, so that the fields count from its end.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0], startTicks: fields[19] ?? '' }
}

import { win32 } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listPrograms } from '../win32/running-programs.ts'

const maxMs = 30_000
const pollMs = 100

/**
 * Waits until no other process of the agent runs. The installer calls this: a service has stopped before its process has ended,
 * and a program that still runs would be replaced or removed at the next restart only.
 */
export async function waitForEnd(): Promise<void> {
  const program = win32.basename(process.execPath).toLowerCase()
  const isOther = ({ pid, path }: { pid: number; path: string }) =>
    pid !== process.pid && win32.basename(path).toLowerCase() === program
  const deadline = Date.now() + maxMs
  while (listPrograms().some(isOther) && Date.now() < deadline) await sleep(pollMs)
}

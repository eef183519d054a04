import { execFile } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { readStored, writeDurably } from '../state/durable-file.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { bootId } from './processes.ts'

type PendingReboot = { bootId: string; source: string }

const run = promisify(execFile)
const systemSign = '/run/reboot-required'

export async function bootTime(): Promise<Date> {
  const seconds = /^btime (\d+)$/m.exec(await readFile('/proc/stat', 'utf8'))?.[1]
  return new Date(Number(seconds ?? 0) * 1000)
}

/** The first user who is logged on. */
export async function loggedOnUser(): Promise<string | null> {
  const { stdout } = await run('who', [], { timeout: 5_000 }).catch(() => ({ stdout: '' }))
  return /^\S+/.exec(stdout)?.[0] ?? null
}

/** What requires a restart: a command that ran since the last one, or the system itself. */
export async function findRebootSource({ rebootPending }: StateFolder): Promise<string | null> {
  const pending = await readStored<PendingReboot>(rebootPending)
  if (pending?.bootId === bootId()) return pending.source
  const isAsked = await access(systemSign).then(
    () => true,
    () => false,
  )
  return isAsked ? systemSign : null
}

export async function recordRebootRequired({ rebootPending }: StateFolder, source: string): Promise<void> {
  await writeDurably(rebootPending, { bootId: bootId(), source } satisfies PendingReboot)
}

import { readStored, writeDurably } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'

type PendingReboot = { bootId: string; source: string }

/** What requires a restart: a command that ran since the last one, or the system itself. */
export async function findRebootSource({ platform: { system }, rebootPending }: StateFolder): Promise<string | null> {
  const pending = await readStored<PendingReboot>(rebootPending)
  return pending?.bootId === system.bootId() ? pending.source : system.findRebootSource()
}

export async function recordRebootRequired({ platform, rebootPending }: StateFolder, source: string): Promise<void> {
  const pending: PendingReboot = { bootId: platform.system.bootId(), source }
  await writeDurably(platform.files, rebootPending, pending)
}

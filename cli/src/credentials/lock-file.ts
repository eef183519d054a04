import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 50

/** A command that was killed leaves its lock. No command keeps it for longer than a request to a provider takes. */
const abandonedMs = 30_000

/** Waits until no other process has the lock, and takes it. Returns the function that releases it. */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  let seen: number | undefined
  let seenSince = 0
  while (!(await create(path))) {
    const identity = (await stat(path).catch(() => undefined))?.ino
    if (identity !== seen) [seen, seenSince] = [identity, performance.now()]
    else if (performance.now() - seenSince > abandonedMs) await rm(path, { force: true })
    await sleep(pollMs)
  }
  return () => rm(path, { force: true })
}

/** Creates the file. Returns false if it exists. */
async function create(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

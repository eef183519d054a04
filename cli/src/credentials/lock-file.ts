import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from '../errors.ts'

/** The process that has a lock, and what distinguishes this lock from others of it. */
type Owner = { pid: number; host: string; id: string }

const pollMs = 50

/** No command keeps the lock for longer than the requests to a provider take. */
const defaultMaxWaitMs = 120_000

/** The owner of a lock of another computer, or of an earlier version, is not known. Such a lock is left after this time. */
const defaultAbandonedMs = 30_000

/**
 * Waits until no other process has the lock, and takes it. Returns the function that releases it. The lock of a process that has
 * ended is taken over; that of a running one never is.
 */
export async function lockFile(
  path: string,
  { maxWaitMs = defaultMaxWaitMs, abandonedMs = defaultAbandonedMs } = {},
): Promise<() => Promise<void>> {
  const own = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() } satisfies Owner)
  const startedAt = performance.now()
  let seen: { content: string; identity: number; since: number } | undefined
  while (!(await create(path, own))) {
    const now = performance.now()
    const found = await readLock(path)
    if (found && (found.content !== seen?.content || found.identity !== seen.identity)) seen = { ...found, since: now }
    const owner = found && parseOwner(found.content)
    const isAbandoned = owner ? !isRunning(owner.pid) : seen !== undefined && now - seen.since > abandonedMs
    if (found && isAbandoned) await remove(path, found.content)
    else if (now - startedAt > maxWaitMs)
      throw new CommandFailure(
        `Another command${owner ? ` (process ${owner.pid})` : ''} keeps the stored credentials locked. ` +
          `If no command is running, delete ${path}.`,
      )
    else await sleep(pollMs)
  }
  return () => remove(path, own)
}

/** Creates the lock with its content at once. Returns false if there is one. */
async function create(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, content, { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error
      // A file system without hard links.
      return writeFile(path, content, { mode: 0o600, flag: 'wx' })
    })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function readLock(path: string): Promise<{ content: string; identity: number } | undefined> {
  try {
    return { content: await readFile(path, 'utf8'), identity: (await stat(path)).ino }
  } catch {
    return undefined
  }
}

/** The owner, if it is a process of this computer. */
function parseOwner(content: string): Owner | undefined {
  try {
    const owner = JSON.parse(content) as Partial<Owner> | null
    return Number.isInteger(owner?.pid) && owner?.host === hostname() ? (owner as Owner) : undefined
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes the lock if it still has this content. One that another process has taken meanwhile is put back. */
async function remove(path: string, content: string): Promise<void> {
  if ((await readLock(path))?.content !== content) return
  const removed = `${path}.${randomUUID()}`
  const isMoved = await rename(path, removed).then(
    () => true,
    () => false,
  )
  if (!isMoved) return
  if ((await readFile(removed, 'utf8')) !== content) await link(removed, path).catch(() => {})
  await rm(removed, { force: true })
}

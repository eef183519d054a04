import { setTimeout as sleep } from 'node:timers/promises'
import { ContentError, type ContentStore, contentStore } from './content-store.ts'
import {
  isUnreachable,
  type MasterClient,
  type SyncResult,
  type WantedFile,
  type WantedPackage,
} from './master-client.ts'
import { type PackageIndex, type PinnedPackage, readIndex, writeIndex } from './package-index.ts'

/** Interrupted: the master server was lost on the way, so that it is worth trying again soon. */
export type SyncOutcome = SyncResult & { isInterrupted: boolean }

type Sync = {
  master: MasterClient
  store: ContentStore
  signal: AbortSignal
  transferred: { files: number; bytes: number }
}

const attempts = 4
const pauseMs = 250

/**
 * Brings the folder to what the master server wants it to hold. A package that cannot be brought up to date stays as it
 * was and does not keep the others from it; what is not wanted any more is removed.
 */
export async function synchronise(master: MasterClient, directory: string, signal: AbortSignal): Promise<SyncOutcome> {
  const sync: Sync = { master, store: contentStore(directory), signal, transferred: { files: 0, bytes: 0 } }
  const before = await readIndex(directory)
  const after: PackageIndex = {}
  const failures: string[] = []
  let isInterrupted = false
  for (const wanted of await master.packages(signal)) {
    const held = before[wanted.id]
    try {
      after[wanted.id] = await upToDate(sync, wanted, held)
    } catch (error) {
      signal.throwIfAborted()
      failures.push(`${wanted.name}: ${(error as Error).message}`)
      isInterrupted ||= isBroken(error)
      if (held) after[wanted.id] = held
    }
  }
  // Contents go after the index that named them, so that at no moment it names what is not there.
  await writeIndex(directory, after)
  if (failures.length === 0) await sync.store.keepOnly(new Set(Object.values(after).flatMap(contentsOf)))
  return { ...resultOf(Object.keys(after).length, failures, sync.transferred), isInterrupted }
}

function contentsOf({ files }: PinnedPackage): string[] {
  return files.map(({ sha256 }) => sha256)
}

async function upToDate(sync: Sync, wanted: WantedPackage, held: PinnedPackage | undefined): Promise<PinnedPackage> {
  const current = held?.contentHash === wanted.contentHash ? held : await sync.master.files(wanted.id, sync.signal)
  for (const file of current.files) if (!(await sync.store.has(file))) await receive(sync, wanted.id, file)
  return { contentHash: current.contentHash, files: current.files }
}

/** A transfer that breaks off is continued where it broke off, a few times. */
async function receive(
  { master, store, signal, transferred }: Sync,
  packageId: string,
  file: WantedFile,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      transferred.bytes += await store.receive(file, (from) => master.content(packageId, file.sha256, from, signal))
      transferred.files += 1
      return
    } catch (error) {
      signal.throwIfAborted()
      if (!isBroken(error) || attempt === attempts) throw error
      await sleep(pauseMs * 2 ** attempt, undefined, { signal })
    }
  }
}

function isBroken(error: unknown): boolean {
  return error instanceof ContentError ? error.isBroken : isUnreachable(error)
}

function resultOf(packages: number, failures: string[], transferred: Sync['transferred']): SyncResult {
  const counts = { packages, filesTransferred: transferred.files, bytesTransferred: transferred.bytes }
  if (failures.length === 0) return { status: 'Success', message: `Up to date, with ${packages} packages.`, ...counts }
  const message = `${failures.length} packages are not up to date. ${failures.join(' ')}`.slice(0, 1000).toWellFormed()
  return { status: 'Failed', message, ...counts }
}

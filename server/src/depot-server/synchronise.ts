import { setTimeout as sleep } from 'node:timers/promises'
import { isBriefShortage } from '../platform/resource-exhaustion.ts'
import { ContentError, type ContentStore, openContentStore } from './content-store.ts'
import {
  isMasterUnavailable,
  type MasterClient,
  type SyncRunResult,
  type WantedFile,
  type WantedPackage,
} from './master-client.ts'
import { type PackageIndex, readPackageIndex, type StoredPackage, writePackageIndex } from './package-index.ts'
import { defaultTransferPace, type TransferPace, watchTransfer } from './transfer-pace.ts'

export type SyncOutcome = SyncRunResult & {
  /** Whether retrying soon makes sense, because the connection or a resource of the machine was missing. */
  isInterrupted: boolean
}

type Sync = {
  master: MasterClient
  store: ContentStore
  signal: AbortSignal
  pace: TransferPace
  transferred: { files: number; bytes: number }
}

const maxAttempts = 4
const retryDelayMs = 250

/**
 * Updates the folder to the packages that the master server assigns to this depot, and deletes all others. If a package
 * cannot be updated, its previous version stays and the other packages are still updated.
 */
export async function synchronise(
  master: MasterClient,
  directory: string,
  signal: AbortSignal,
  pace = defaultTransferPace,
): Promise<SyncOutcome> {
  const sync: Sync = { master, store: openContentStore(directory), signal, pace, transferred: { files: 0, bytes: 0 } }
  const before = await readPackageIndex(directory)
  const after: PackageIndex = {}
  const failures: string[] = []
  let isInterrupted = false
  for (const wanted of await master.packages(signal)) {
    const stored = before[wanted.id]
    try {
      after[wanted.id] = await updatePackage(sync, wanted, stored)
    } catch (error) {
      signal.throwIfAborted()
      failures.push(`${wanted.name}: ${(error as Error).message}`)
      isInterrupted ||= isRetryable(error)
      if (stored) after[wanted.id] = stored
    }
  }
  // Files are deleted after the index is written so that the index never names a missing file.
  await writePackageIndex(directory, after)
  if (failures.length === 0) await sync.store.deleteExcept(new Set(Object.values(after).flatMap(hashesOf)))
  return { ...toSyncResult(Object.keys(after).length, failures, sync.transferred), isInterrupted }
}

function hashesOf({ files }: StoredPackage): string[] {
  return files.map(({ sha256 }) => sha256)
}

async function updatePackage(
  sync: Sync,
  wanted: WantedPackage,
  stored: StoredPackage | undefined,
): Promise<StoredPackage> {
  const current = stored?.contentHash === wanted.contentHash ? stored : await sync.master.files(wanted.id, sync.signal)
  for (const file of current.files) if (!(await sync.store.has(file))) await receiveFile(sync, wanted.id, file)
  return { contentHash: current.contentHash, files: current.files }
}

/** Resumes an interrupted transfer a few times. */
async function receiveFile(sync: Sync, packageId: string, file: WantedFile): Promise<void> {
  const { signal, transferred } = sync
  for (let attempt = 1; ; attempt++) {
    try {
      transferred.bytes += await transferFile(sync, packageId, file)
      transferred.files += 1
      return
    } catch (error) {
      signal.throwIfAborted()
      if (!isRetryable(error) || attempt === maxAttempts) throw error
      await sleep(retryDelayMs * 2 ** attempt, undefined, { signal })
    }
  }
}

async function transferFile(
  { master, store, signal, pace }: Sync,
  packageId: string,
  { size, sha256 }: WantedFile,
): Promise<number> {
  let watched: ReturnType<typeof watchTransfer> | undefined
  try {
    return await store.receive({ size, sha256 }, async (from) => {
      watched = watchTransfer(pace)
      const { body, continues } = await master.content(
        packageId,
        sha256,
        from,
        AbortSignal.any([signal, watched.signal]),
      )
      return { body: body && watched.count(body), continues }
    })
  } catch (error) {
    throw watched?.signal.aborted ? watched.signal.reason : error
  } finally {
    watched?.end()
  }
}

export function isRetryable(error: unknown): boolean {
  return error instanceof ContentError ? error.isResumable : isMasterUnavailable(error) || isBriefShortage(error)
}

function toSyncResult(packages: number, failures: string[], transferred: Sync['transferred']): SyncRunResult {
  const counts = { packages, filesTransferred: transferred.files, bytesTransferred: transferred.bytes }
  if (failures.length === 0)
    return { status: 'Success', message: `The depot is up to date with ${packages} packages.`, ...counts }
  const message = `${failures.length} packages could not be updated. ${failures.join(' ')}`
    .slice(0, 1000)
    .toWellFormed()
  return { status: 'Failed', message, ...counts }
}

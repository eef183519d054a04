import { PackageFault } from '@muster/package-format'
import { sql } from 'kysely'
import { lockForTransactionShared } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'
import { type JobAttempt, JobInterruption } from '../../../jobs/run-attempt.ts'
import { DownloadInterrupted, DownloadRefused } from '../../../platform/downloads/download-errors.ts'
import { isResourceExhausted } from '../../../platform/resource-exhaustion.ts'
import { findContentSize, requireContents, syncContentFolders } from '../../packages/content/store-content.ts'
import { downloadContent } from '../files/download-content.ts'
import type { PatchDownloadInput } from '../files/request-downloads.ts'

/** With the growing delays between attempts, about ten minutes of failures. */
const maxInterruptions = 15

/** Downloads a file of patches into the package store. Does nothing if the content is already stored. */
export async function runPatchDownload(attempt: JobAttempt): Promise<void> {
  const { sha256 } = attempt.input as PatchDownloadInput
  try {
    const urls = await listAddresses(attempt.db, sha256)
    if (urls.length === 0)
      return await attempt.finish(async () => ({ status: 'Success', message: 'No patch has this file any longer.' }))
    const size = await obtainContent(attempt, sha256, urls)
    await recordStoredContent(attempt, { sha256, size })
  } catch (error) {
    if (isResourceExhausted(error) || attempt.signal.aborted) throw error
    await recordFault(attempt, sha256, error)
  }
}

async function listAddresses(db: Database, sha256: string): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select distinct url from patch_files where sha256 = decode(${sha256}, 'hex') order by url`.execute(db)
  return rows.map(({ url }) => url)
}

/** Tries the addresses in turn and returns the size of the content. Throws the last fault if none of them has it. */
async function obtainContent(attempt: JobAttempt, sha256: string, urls: readonly string[]): Promise<number> {
  const stored = await findContentSize(attempt.configuration.packageStore, sha256)
  if (stored !== undefined) return stored
  let fault: unknown
  for (const url of urls) {
    try {
      return await downloadContent(attempt, url, sha256)
    } catch (error) {
      if (!(error instanceof DownloadRefused || error instanceof DownloadInterrupted)) throw error
      // An address that may work later is worth another attempt, whatever the others answered.
      if (!(fault instanceof DownloadInterrupted)) fault = error
      if (isResourceExhausted(error)) throw error
    }
  }
  throw fault
}

async function recordStoredContent(attempt: JobAttempt, content: { sha256: string; size: number }): Promise<void> {
  const store = attempt.configuration.packageStore
  await syncContentFolders(store, [content])
  await attempt.finish(async (transaction) => {
    // Content is purged while nothing refers to it. From here to the commit, no node purges any.
    await lockForTransactionShared(transaction, 'packageContent')
    await requireContents(store, [content])
    await sql`
      update patch_contents set size = ${content.size}, stored_at = now()
      where sha256 = decode(${content.sha256}, 'hex')`.execute(transaction)
    return { status: 'Success', message: `The file is in the package store, ${content.size} bytes.` }
  })
}

/** Ends the job with the reason, or has it attempted again if the reason may pass. */
async function recordFault(attempt: JobAttempt, sha256: string, error: unknown): Promise<void> {
  const isFault = error instanceof DownloadRefused || error instanceof PackageFault
  if (!isFault && !(error instanceof DownloadInterrupted)) throw error
  if (!isFault && (await countInterruption(attempt.db, sha256)) < maxInterruptions)
    throw new JobInterruption(error.message, { cause: error })
  await attempt.finish(async () => ({ status: 'Failed', message: error.message }))
}

async function countInterruption(db: Database, sha256: string): Promise<number> {
  const { rows } = await sql<{ interruptions: number }>`
    update patch_contents set interruptions = interruptions + 1 where sha256 = decode(${sha256}, 'hex')
    returning interruptions`.execute(db)
  return rows[0]?.interruptions ?? maxInterruptions
}

import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { lockForTransaction } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'
import { contentFolderOf, contentPathOf, incomingFolderOf, isContentHash } from '../content/content-folder.ts'

/** Younger content may belong to an import that is still running, on any node. */
const minAgeMs = 24 * 3_600_000

/** Deletes the content that no package and no patch refers to, and incomplete copies. Returns the number of deleted files. */
export async function purgeUnreferencedContent(db: Database, store: string, signal: AbortSignal): Promise<number> {
  let purged = await deleteOldFiles(
    (await listNames(incomingFolderOf(store))).map((name) => join(incomingFolderOf(store), name)),
  )
  for (const folder of await listNames(contentFolderOf(store))) {
    signal.throwIfAborted()
    const hashes = (await listNames(join(contentFolderOf(store), folder))).filter(isContentHash)
    if (hashes.length > 0) purged += await purgeUnreferenced(db, store, hashes)
  }
  return purged
}

/** An import takes the same lock before its package refers to content, and then checks that the content still exists. */
async function purgeUnreferenced(db: Database, store: string, hashes: readonly string[]): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await lockForTransaction(transaction, 'packageContent')
    const { rows } = await sql<{ sha256: string }>`
      select sha256 from unnest(${hashes}::text[]) as stored (sha256)
      where not exists (select from package_files file where file.sha256 = decode(stored.sha256, 'hex'))
        and not exists (select from patch_contents content where content.sha256 = decode(stored.sha256, 'hex'))`.execute(
      transaction,
    )
    return deleteOldFiles(rows.map(({ sha256 }) => contentPathOf(store, sha256)))
  })
}

async function deleteOldFiles(paths: readonly string[]): Promise<number> {
  let deleted = 0
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    if (!found || found.mtimeMs > Date.now() - minAgeMs) continue
    await rm(path, { force: true })
    deleted++
  }
  return deleted
}

/** The names in a folder; none if it does not exist. */
async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
}

import { sql } from 'kysely'
import { tryLockForTransaction } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'
import type { Configuration } from '../../../platform/configuration.ts'
import type { PatchDownloadSettings } from '../files/patch-download-rules.ts'
import { clearFinishedJobs, requestAllDownloadsInUse } from '../files/request-downloads.ts'
import { resetVanishedContents } from '../files/reset-vanished-contents.ts'

/**
 * Requests downloads that failed a day ago, that the settings allow only now, or whose content has vanished. Deletes the
 * rows of contents that no patch has any longer. Returns the number of requested downloads.
 */
export async function maintainDownloads(
  db: Database,
  settings: PatchDownloadSettings & Pick<Configuration, 'packageStore'>,
): Promise<number> {
  await resetVanishedContents(db, settings.packageStore)
  return db.transaction().execute(async (transaction) => {
    // An import may be about to refer to such a content.
    if (await tryLockForTransaction(transaction, 'patchCatalog'))
      await sql`
        delete from patch_contents content
        where not exists (select from patch_files file where file.sha256 = content.sha256)`.execute(transaction)
    await clearFinishedJobs(transaction, sql<boolean>`job.finished_at < now() - interval '1 day'`)
    return requestAllDownloadsInUse(transaction, settings)
  })
}

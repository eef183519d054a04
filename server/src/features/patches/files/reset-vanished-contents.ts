import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { contentFolderOf } from '../../packages/content/content-folder.ts'
import { hasContent } from '../../packages/content/store-content.ts'

/** Makes contents that are missing from the package store, for example after a restore, count as not downloaded. */
export async function resetVanishedContents(db: Database, store: string): Promise<void> {
  // Without the folder, the store is not available now: that says nothing about its contents.
  if (!(await stat(contentFolderOf(store)).catch(() => undefined))) return
  const { rows } = await sql<{ sha256: string; size: number }>`
    select encode(sha256, 'hex') as sha256, size from patch_contents where stored_at is not null`.execute(db)
  const vanished: string[] = []
  for (const content of rows) if (!(await hasContent(store, content))) vanished.push(content.sha256)
  if (vanished.length === 0) return
  await sql`
    with vanished as materialized (
      select content.sha256 from patch_contents content
        join unnest(${vanished}::text[]) as hash on content.sha256 = decode(hash, 'hex')
      order by content.sha256 for update of content
    )
    update patch_contents content set size = null, stored_at = null, job_id = null
    from vanished where content.sha256 = vanished.sha256`.execute(db)
}

import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** The folder of patch files within the folder of a fix package. */
const folderName = 'muster-patches'

type PatchOfProduct = { patchId: number; productId: number }

export type StoredPatchFile = PatchOfProduct & { path: string; size: number; sha256: string }

/** The downloaded files of patches, with their paths in the folder of the fix package. */
export async function listStoredFiles(db: Database, patches: readonly PatchOfProduct[]): Promise<StoredPatchFile[]> {
  if (patches.length === 0) return []
  const { rows } = await sql<StoredPatchFile>`
    select file.patch_id as "patchId", file.product_id as "productId", content.size,
      encode(file.sha256, 'hex') as sha256,
      concat_ws('/', ${folderName}::text, file.patch_id || '-' || file.product_id, left(encode(file.sha256, 'hex'), 8), file.name)
        as path
    from unnest(${patches.map(({ patchId }) => patchId)}::integer[],
        ${patches.map(({ productId }) => productId)}::integer[]) as wanted (patch_id, product_id)
      join patch_files file on file.patch_id = wanted.patch_id and file.product_id = wanted.product_id
      join patch_contents content on content.sha256 = file.sha256 and content.stored_at is not null
    order by path`.execute(db)
  return rows
}

/** The size of a downloaded file of one of the patches that the agent installs with its work item. */
export async function findFileOfPatchWork(
  db: Database,
  { clientId, workId, sha256 }: { clientId: number; workId: number; sha256: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ size: number }>`
    select content.size from work
      join patch_files file on file.patch_id = any(work.patch_ids)
      join patch_contents content on content.sha256 = file.sha256 and content.stored_at is not null
    where work.id = ${workId} and work.computer_id = ${clientId} and work.state = 'Leased'
      and file.sha256 = decode(${sha256}, 'hex')
    limit 1`.execute(db)
  return rows[0]?.size
}

/** All downloaded contents of patches. Depots get them with every fix package. */
export const storedPatchContents: RawBuilder<{ sha256: Buffer; size: number }> = sql`
  select content.sha256, content.size from patch_contents content where content.stored_at is not null`

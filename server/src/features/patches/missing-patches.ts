import { type RawBuilder, sql } from 'kysely'

export type MissingPatch = { computer_id: number; patch_id: number; product_id: number }

/** What the last scan of each computer found missing. Every query about missing patches starts from this one. */
export const missingPatches: RawBuilder<MissingPatch> = sql<MissingPatch>`
  select scanned.computer_id, scanned.patch_id, scanned.product_id from computer_patches scanned where scanned.is_missing`

/**
 * Whether the last scan of a computer was of the operating system before the present one, which may lack other patches. Takes
 * the aliases of `patch_scans` and `computers`.
 */
export function isScanOfPreviousSystem(scan: string, computers: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(`${scan}.scanned_at`)} <= ${sql.ref(`${computers}.os_installed_at`)}, false)`
}

/** Whether nothing is known yet about the patches of the present system, but of the one before. Takes a column with a computer. */
export const hasOnlyPreviousScan = (computerId: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from computers reinstalled join patch_scans scan on scan.computer_id = reinstalled.id
  where reinstalled.id = ${sql.ref(computerId)} and ${isScanOfPreviousSystem('scan', 'reinstalled')})`

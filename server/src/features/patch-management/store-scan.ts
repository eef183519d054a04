import { sql } from 'kysely'
import { lockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'
import { type RollbackReport, recordRollbacks } from '../patches/policies/rollbacks.ts'
import { omitPatchesBeyondQuota, patchQuotas } from './patch-quotas.ts'
import { hasUnknownPatches, registerPatches } from './register-patches.ts'
import { insertOrCancelFixWorkAfterScan } from './remediate.ts'
import { formatReportedPatches, type ReportedPatch, reportedPatches } from './reported-patches.ts'

export const scannedPatchPurged = problem(
  'PatchPurged',
  409,
  'A patch of the scan was purged while the scan was stored. Repeat the request.',
  { constraint: 'computer_patches_patch_id_product_id_fkey' },
)

export type PatchScan = {
  scannedAt: Date
  definitionAt?: Date | null
  definitionVersion?: string | null
  patches: readonly ReportedPatch[]
  /** What became of patches that the agent was asked to roll back. */
  rollbacks?: readonly RollbackReport[] | undefined
}

/**
 * Replaces the result of the last patch scan of a computer, and updates its fix work by what is missing and released.
 * Writes only what has changed. Returns how many patches it ignored because nobody else knows them and a quota is used up.
 */
export async function storePatchScan(
  db: Database,
  computerId: number,
  scan: PatchScan,
  quotas = patchQuotas,
): Promise<number> {
  let { patches } = scan
  const json = formatReportedPatches(patches)
  const hasUnknown = await hasUnknownPatches(db, json)
  if (hasUnknown) {
    // An import at the same time would not see the new components, nor the scan the new advisories.
    await lockForTransaction(db, 'patchCatalog')
    patches = await omitPatchesBeyondQuota(db, computerId, { patches, json, quotas })
  }
  const ignored = scan.patches.length - patches.length
  await upsertScan(db, computerId, scan, ignored)
  if (hasUnknown) await registerPatches(db, computerId, patches)
  await replaceComputerPatches(db, computerId, patches)
  await recordRollbacks(db, computerId, scan.rollbacks ?? [])
  await insertOrCancelFixWorkAfterScan(db, computerId)
  return ignored
}

/**
 * Pins the computer before anything that belongs to it. Also locks the row so that scans of one computer run one after the other. A computer whose clock is ahead cannot date
 * its scan into the future.
 */
async function upsertScan(db: Database, computerId: number, scan: PatchScan, ignored: number): Promise<void> {
  await sql`
    with pinned as materialized (
      select id from computers where id = ${computerId} for key share
    )
    insert into patch_scans as stored (computer_id, scanned_at, definition_at, definition_version, ignored_patches)
    select ${computerId}::integer, least(${scan.scannedAt}::timestamptz, now()), ${scan.definitionAt ?? null}::timestamptz,
      ${scan.definitionVersion ?? null}::text, ${ignored}::integer
    from (select count(*) from pinned) as first_lock
    on conflict on constraint patch_scans_pkey do update set scanned_at = excluded.scanned_at,
      definition_at = excluded.definition_at, definition_version = excluded.definition_version,
      ignored_patches = excluded.ignored_patches
    where (stored.scanned_at, stored.definition_at, stored.definition_version, stored.ignored_patches)
      is distinct from
      (excluded.scanned_at, excluded.definition_at, excluded.definition_version, excluded.ignored_patches)`.execute(db)
}

type FoundPatch = {
  patch_id: number
  product_id: number
  is_missing: boolean
  installed_at: Date | null
  locked_by: string | null
  restart_suggested: boolean | null
}

/**
 * The result of the scan by the ids of patches and products, each with the spelling of the computer if it is another one.
 * A patch that is reported as installed and as missing is missing.
 */
const foundPatches = (patches: string) => sql<FoundPatch>`
  select distinct on (patches.id, products.id) patches.id as patch_id, products.id as product_id,
    reported.status = 'Missing' as is_missing,
    case when reported.status <> 'Missing' then reported."installedAt" end as installed_at,
    case when reported.status = 'Missing' then nullif(reported."lockedBy", '') end as locked_by,
    case when reported.status = 'Missing' then reported."restartSuggested" end as restart_suggested,
    nullif(reported.key, patches.key) as reported_key, nullif(reported.product, products.name) as reported_product
  from ${reportedPatches(patches)}
    left join patches on lower(patches.key) = lower(reported.key)
    left join patch_products products on lower(products.name) = lower(reported.product)
  order by patches.id, products.id, reported.status = 'Missing' desc, reported.key, reported.product`

async function replaceComputerPatches(
  db: Database,
  computerId: number,
  patches: readonly ReportedPatch[],
): Promise<void> {
  const { rows } = await sql<{ has_unknown: boolean }>`
    with found as materialized (${foundPatches(formatReportedPatches(patches))}), deleted as (
      delete from computer_patches stored
      where stored.computer_id = ${computerId} and not exists (
        select from found where found.patch_id = stored.patch_id and found.product_id = stored.product_id)
    ), written as (
      insert into computer_patches as stored
        (computer_id, patch_id, product_id, is_missing, installed_at, locked_by, restart_suggested, reported_key, reported_product)
      select ${computerId}::integer, patch_id, product_id, is_missing, installed_at, locked_by, restart_suggested, reported_key,
        reported_product
      from found where patch_id is not null and product_id is not null
      order by patch_id, product_id
      on conflict on constraint computer_patches_pkey do update set is_missing = excluded.is_missing,
        installed_at = excluded.installed_at, locked_by = excluded.locked_by,
        restart_suggested = excluded.restart_suggested, reported_key = excluded.reported_key,
        reported_product = excluded.reported_product
      where (stored.is_missing, stored.installed_at, stored.locked_by, stored.restart_suggested, stored.reported_key,
        stored.reported_product) is distinct from
        (excluded.is_missing, excluded.installed_at, excluded.locked_by, excluded.restart_suggested, excluded.reported_key,
        excluded.reported_product)
    )
    select exists (select from found where patch_id is null or product_id is null) as has_unknown`.execute(db)
  if (rows[0]?.has_unknown) throw scannedPatchPurged()
}

import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isBroughtBy } from '../components/matching-fixes.ts'
import type { FixedVersion } from './patch-document.ts'

export type DocumentFix = FixedVersion & { documentId: number; patchId: number; number: number }

/** Inserts the versions that documents regard as fixed. */
export async function insertDocumentFixes(db: Database, fixes: readonly DocumentFix[]): Promise<void> {
  if (fixes.length === 0) return
  await sql`
    insert into patch_document_fixes
      (document_id, patch_id, number, version_key, includes_later, components, details)
    select "documentId", "patchId", number, "versionKey", "includesLater", components, details
    from jsonb_to_recordset(${JSON.stringify(fixes)}::jsonb) as fix ("documentId" integer, "patchId" integer,
      number integer, "versionKey" text, "includesLater" boolean, components text[], details jsonb)`.execute(db)
}

/** The patches that scans have reported and that bring a fixed version of the documents to a computer. */
export async function listPatchesFixedBy(db: Database, documentIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ patch_id: number }>`
    select distinct scanned.patch_id
    from patch_document_fixes fixed cross join unnest(fixed.components) as fixed_component
      join patch_components scanned on scanned.component = fixed_component and ${isBroughtBy('fixed', 'scanned')}
    where fixed.document_id = any(${documentIds}::integer[])`.execute(db)
  return rows.map(({ patch_id }) => patch_id)
}

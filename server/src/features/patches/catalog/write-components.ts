import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { fixesPatch } from '../components/matching-fixes.ts'
import type { FixedComponent } from './patch-document.ts'

export type DocumentComponent = FixedComponent & { documentId: number; patchId: number }

export async function insertDocumentComponents(db: Database, components: readonly DocumentComponent[]): Promise<void> {
  if (components.length === 0) return
  const details = components.map((one) => (one.details ? JSON.stringify(one.details) : null))
  await sql`
    insert into patch_document_components (document_id, patch_id, component, version_key, includes_later, details)
    select * from unnest(${components.map(({ documentId }) => documentId)}::integer[],
      ${components.map(({ patchId }) => patchId)}::integer[], ${components.map(({ component }) => component)}::text[],
      ${components.map(({ versionKey }) => versionKey)}::text[],
      ${components.map(({ includesLater }) => includesLater)}::boolean[], ${details}::jsonb[])
    on conflict do nothing`.execute(db)
}

/** The patches that scans have reported and that fix what the documents are about. */
export async function listPatchesFixedBy(db: Database, documentIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ patch_id: number }>`
    select distinct scanned.patch_id from patch_document_components fixed
      join patch_components scanned on ${fixesPatch('fixed', 'scanned')}
    where fixed.document_id = any(${documentIds}::integer[])`.execute(db)
  return rows.map(({ patch_id }) => patch_id)
}

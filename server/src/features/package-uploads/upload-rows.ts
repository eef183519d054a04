import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Principal } from '../../platform/authentication/principals.ts'
import { notYourUpload, uploadNotFound } from './problems.ts'

export type UploadState = 'Receiving' | 'Ready' | 'Importing'

/** The uploads as the API shows them. */
export function uploadRows(db: Database) {
  return db
    .selectFrom('package_uploads as upload')
    .leftJoin('background_jobs as job', 'job.id', 'upload.import_id')
    .leftJoin('local_principals as local', 'local.principal_id', 'upload.principal_id')
    .leftJoin('identity_principals as identity', 'identity.principal_id', 'upload.principal_id')
    .select([
      'upload.id',
      'upload.file_name as fileName',
      'upload.size',
      'upload.received',
      sql<string | null>`encode(upload.sha256, 'hex')`.as('sha256'),
      sql<UploadState>`case when upload.sha256 is null then 'Receiving'
        when job.status in ('Pending', 'Running') then 'Importing' else 'Ready' end`.as('state'),
      'upload.fingerprint',
      'upload.principal_id as principalId',
      sql<string>`coalesce(local.client_id, identity.display_name, identity.subject_id)`.as('createdBy'),
      'upload.created_at as createdAtUtc',
      'upload.expires_at as expiresAtUtc',
      'upload.import_id as importTrackingId',
      sql<string | null>`case when job.status = 'Failed' then job.message end`.as('importFault'),
    ])
}

export type UploadRow = Awaited<ReturnType<typeof getUpload>>

export async function getUpload(db: Database, id: string) {
  const found = await uploadRows(db).where('upload.id', '=', id).executeTakeFirst()
  if (!found) throw uploadNotFound({ uploadId: id })
  return found
}

/** The upload, if the principal has started it. Who continues it decides what the package contains. */
export async function getOwnUpload(db: Database, id: string, principal: Principal): Promise<UploadRow> {
  const upload = await getUpload(db, id)
  if (upload.principalId !== principal.id) throw notYourUpload({ uploadId: id })
  return upload
}

/** Locks the upload until the transaction ends. */
export async function lockUpload(db: Database, id: string): Promise<void> {
  const { rows } = await sql`select from package_uploads where id = ${id} for update`.execute(db)
  if (rows.length === 0) throw uploadNotFound({ uploadId: id })
}

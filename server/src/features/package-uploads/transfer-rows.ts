import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { offsetMismatch, uploadLocked, uploadNotFound } from './problems.ts'

/** How long no other request may write after the last sign of the one that does. */
export const writerSeconds = 30

/** What a request that sends bytes continues. */
type ClaimedRow = { received: number; size: number; hashState: Buffer | null; expectedSha256: string | null }

export type UploadTransfer = ClaimedRow & { uploadId: string; writerId: string }

/** Makes the request the only one that writes to the upload, on all nodes. It has to continue where the last one ended. */
export async function claimTransfer(
  db: Database,
  uploadId: string,
  { writerId, offset }: { writerId: string; offset: number },
): Promise<UploadTransfer> {
  const { rows } = await sql<ClaimedRow>`
    update package_uploads
    set writer_id = ${writerId}, writer_until = now() + make_interval(secs => ${writerSeconds})
    where id = ${uploadId} and received = ${offset} and sha256 is null and (writer_until is null or writer_until < now())
    returning received, size, hash_state as "hashState", encode(expected_sha256, 'hex') as "expectedSha256"`.execute(db)
  if (!rows[0]) throw await findObstacle(db, uploadId)
  return { uploadId, writerId, ...rows[0] }
}

async function findObstacle(db: Database, uploadId: string) {
  const { rows } = await sql<{ received: number; isLocked: boolean }>`
    select received, coalesce(writer_until > now(), false) as "isLocked" from package_uploads where id = ${uploadId}`.execute(
    db,
  )
  const [found] = rows
  if (!found) return uploadNotFound({ uploadId })
  if (found.isLocked) return uploadLocked({ uploadId }).withHeaders({ 'retry-after': '5' })
  return offsetMismatch({ uploadId, received: found.received }).withHeaders({ 'upload-offset': String(found.received) })
}

/** Shows that the request still writes. Returns whether it may: the upload may have been deleted. */
export async function renewTransfer(db: Database, { uploadId, writerId }: UploadTransfer): Promise<boolean> {
  const { rows } = await sql`
    update package_uploads set writer_until = now() + make_interval(secs => ${writerSeconds})
    where id = ${uploadId} and writer_id = ${writerId} returning id`.execute(db)
  return rows.length > 0
}

export type ConfirmedPosition = {
  received: number
  hashState: Buffer | null
  /** Set once the file is complete. */
  sha256?: Buffer
  /** After how many hours without progress the upload is deleted. */
  hours: number
}

/** Records what is on disk. Returns the new time of expiry; undefined if the request may no longer write. */
export async function confirmTransfer(
  db: Database,
  { uploadId, writerId }: UploadTransfer,
  { received, hashState, sha256, hours }: ConfirmedPosition,
): Promise<Date | undefined> {
  const { rows } = await sql<{ expiresAt: Date }>`
    update package_uploads
    set received = ${received}, hash_state = ${hashState}, sha256 = ${sha256 ?? null},
      expires_at = now() + make_interval(hours => ${hours}),
      writer_until = now() + make_interval(secs => ${writerSeconds})
    where id = ${uploadId} and writer_id = ${writerId}
    returning expires_at as "expiresAt"`.execute(db)
  return rows[0]?.expiresAt
}

/** Lets other requests continue the upload. */
export async function releaseTransfer(db: Database, { uploadId, writerId }: UploadTransfer): Promise<void> {
  await sql`
    update package_uploads set writer_id = null, writer_until = null
    where id = ${uploadId} and writer_id = ${writerId}`.execute(db)
}

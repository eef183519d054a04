import { sql } from 'kysely'
import { lockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import type { Configuration } from '../../platform/configuration.ts'
import { storeFull, uploadQuotaExceeded, uploadTooLarge } from './problems.ts'
import { freeBytesOf } from './upload-files.ts'

const megabyte = 1_048_576
/** Even small uploads have a row and a file. */
const maxUploadsPerPrincipal = 200

/** Throws unless the disk has more room than the service needs for itself. */
export async function requireRoom(
  { packageStore, minFreeDiskMegabytes }: Configuration,
  neededBytes = 0,
): Promise<void> {
  const freeBytes = (await freeBytesOf(packageStore)) - minFreeDiskMegabytes * megabyte
  if (freeBytes < neededBytes) throw storeFull({ freeBytes: Math.max(0, freeBytes), neededBytes })
}

/** Throws unless the principal may upload another file of this size. Locks all other new uploads until the transaction ends. */
export async function requireQuota(
  db: Database,
  configuration: Configuration,
  { principalId, size }: { principalId: number; size: number },
): Promise<void> {
  const { maxFileBytes, maxPrincipalBytes, maxTotalBytes } = configuration.uploads
  if (size > maxFileBytes) throw uploadTooLarge({ maxBytes: maxFileBytes })
  await lockForTransaction(db, 'packageUploads')
  const used = await readUse(db, principalId)
  if (used.ownBytes + size > maxPrincipalBytes)
    throw uploadQuotaExceeded({ quota: 'MUSTER_UPLOAD_QUOTA', usedBytes: used.ownBytes, maxBytes: maxPrincipalBytes })
  if (used.totalBytes + size > maxTotalBytes)
    throw uploadQuotaExceeded({ quota: 'MUSTER_UPLOAD_TOTAL', usedBytes: used.totalBytes, maxBytes: maxTotalBytes })
  if (used.ownCount >= maxUploadsPerPrincipal)
    throw uploadQuotaExceeded({ quota: 'uploads of a principal', used: used.ownCount, max: maxUploadsPerPrincipal })
  // What others have announced and not sent yet needs its room as well.
  await requireRoom(configuration, used.outstandingBytes + size)
}

async function readUse(db: Database, principalId: number) {
  const { rows } = await sql<{ totalBytes: number; ownBytes: number; ownCount: number; outstandingBytes: number }>`
    select coalesce(sum(size), 0)::float8 as "totalBytes",
      coalesce(sum(size) filter (where principal_id = ${principalId}), 0)::float8 as "ownBytes",
      (count(*) filter (where principal_id = ${principalId}))::integer as "ownCount",
      coalesce(sum(size - received), 0)::float8 as "outstandingBytes"
    from package_uploads`.execute(db)
  return rows[0] ?? { totalBytes: 0, ownBytes: 0, ownCount: 0, outstandingBytes: 0 }
}

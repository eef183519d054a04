import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { findAddressFault } from '../../../platform/downloads/allowed-address.ts'
import { type PatchDownloadSettings, patchDownloadRules } from './patch-download-rules.ts'

export const downloadStatuses = ['NotRequested', 'NotAllowed', 'Pending', 'Running', 'Stored', 'Failed'] as const

export type DownloadStatus = (typeof downloadStatuses)[number]

/** The files of patches in the shape of the API, except that the settings are not considered. */
export function patchFileRows(db: Database) {
  return db
    .selectFrom('patch_files')
    .innerJoin('patch_products', 'patch_products.id', 'patch_files.product_id')
    .innerJoin('patch_contents', 'patch_contents.sha256', 'patch_files.sha256')
    .leftJoin('background_jobs', 'background_jobs.id', 'patch_contents.job_id')
    .select([
      'patch_files.patch_id as patchId',
      'patch_products.id as productId',
      'patch_products.name as productName',
      'patch_files.name',
      'patch_files.url',
      sql<string>`encode(patch_files.sha256, 'hex')`.as('sha256'),
      sql<number | null>`patch_contents.size`.as('sizeBytes'),
      sql<DownloadStatus>`case
        when patch_contents.stored_at is not null then 'Stored'
        when background_jobs.status in ('Pending', 'Running', 'Failed') then background_jobs.status
        else 'NotRequested' end`.as('status'),
      'background_jobs.progress',
      'background_jobs.message',
      'patch_contents.stored_at as storedUtc',
    ])
}

type FileState = { url: string; status: DownloadStatus; message: string | null }

/** Replaces the status of a file that the service may not download now. */
export function withAllowance<File extends FileState>(file: File, settings: PatchDownloadSettings): File {
  if (file.status !== 'NotRequested') return file
  const fault = findAddressFault(file.url, patchDownloadRules(settings))
  return fault === undefined ? file : { ...file, status: 'NotAllowed', message: fault }
}

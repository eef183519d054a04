import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { importFolders, incomingUploadsOf, isUuid, uploadPathOf } from '../upload-files.ts'

/**
 * Deletes uploads that have expired, files of uploads that no longer exist, and folders of packages that have other content by
 * now. Returns how many of them.
 */
export async function purgeUploads(db: Database, store: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from package_uploads upload
    where expires_at < now() and (writer_until is null or writer_until < now())
      and not exists (
        select from background_jobs job where job.id = upload.import_id and job.status in ('Pending', 'Running'))`.execute(
    db,
  )
  return Number(numAffectedRows) + (await purgeFiles(db, store)) + (await purgeFolders(db, store))
}

/** A file is made after its row, and ids are not used again. So a file that is found before its row is not belongs to none. */
async function purgeFiles(db: Database, store: string): Promise<number> {
  const names = await listUuids(incomingUploadsOf(store))
  if (names.length === 0) return 0
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as stored (name)
    where not exists (select from package_uploads upload where upload.id = stored.name::uuid)`.execute(db)
  for (const { name } of rows) await rm(uploadPathOf(store, name), { force: true })
  return rows.length
}

/** The job that makes a folder runs until its package refers to the folder. */
async function purgeFolders(db: Database, store: string): Promise<number> {
  const made = Object.values(importFolders).map(async (parent) => {
    const names = await listUuids(join(store, parent))
    return names.map((name) => ({ name, folder: `${parent}/${name}` }))
  })
  const folders = (await Promise.all(made)).flat()
  if (folders.length === 0) return 0
  const { rows } = await sql<{ folder: string }>`
    select folder from unnest(${folders.map(({ name }) => name)}::text[], ${folders.map(({ folder }) => folder)}::text[])
      as stored (name, folder)
    where not exists (select from packages where packages.folder = stored.folder)
      and not exists (
        select from background_jobs job where job.id = stored.name::uuid and job.status in ('Pending', 'Running'))`.execute(
    db,
  )
  for (const { folder } of rows) await rm(join(store, folder), { recursive: true, force: true })
  return rows.length
}

/** The names in a folder that are ids; none if the folder does not exist. */
async function listUuids(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter(isUuid)
}

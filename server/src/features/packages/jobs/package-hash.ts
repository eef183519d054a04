import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { type JobAttempt, JobFailure } from '../../../jobs/run-attempt.ts'
import { type HashedFile, hashFiles } from '../hash-files.ts'
import { PackageFault } from '../package-fault.ts'
import { findPackageFolder, listFiles, requireSameFiles } from '../package-folder.ts'
import { formatPath } from '../paths.ts'

export type PackageHashInput = { packageId: string }

/** Hashes the files of a package anew and compares them with what was imported. */
export async function packageHash(attempt: JobAttempt): Promise<void> {
  const { packageId } = attempt.input as PackageHashInput
  const { db } = attempt
  const { folder, imported } = await importOf(db, packageId)
  const files = await currentFiles(attempt, folder)
  await attempt.finish(async (transaction) => {
    if ((await importOf(transaction, packageId)).imported !== imported)
      throw new JobFailure('The package was imported anew meanwhile.')
    const difference =
      files instanceof PackageFault ? files.message : await differenceOf(transaction, packageId, folder, files)
    await transaction
      .updateTable('packages')
      .set({ hash_state: difference ? 'Mismatch' : 'Current' })
      .where('id', '=', packageId)
      .execute()
    if (!difference) return { status: 'Success', message: 'All files are those that were imported.' }
    return { status: 'Failed', message: `${difference} The package is not handed out until its files are as before.` }
  })
}

/** Where the package was imported from and when; in a transaction, both stay until it ends. */
async function importOf(db: Database, packageId: string): Promise<{ folder: string; imported: string }> {
  const { rows } = await sql<{ folder: string | null; imported: string }>`
    select folder, imported_at::text as imported from packages where id = ${packageId} for update`.execute(db)
  const [found] = rows
  if (!found?.folder) throw new JobFailure('The package has no folder in the package store.')
  return { folder: found.folder, imported: found.imported }
}

async function currentFiles(attempt: JobAttempt, folder: string): Promise<HashedFile[] | PackageFault> {
  try {
    const root = await findPackageFolder(attempt.configuration.packageStore, folder)
    const found = await listFiles(root, attempt.signal)
    const files = await hashFiles(root, found, attempt)
    requireSameFiles(found, await listFiles(root, attempt.signal))
    return files
  } catch (error) {
    if (error instanceof PackageFault) return error
    throw error
  }
}

/** A sentence about the first file that differs, or undefined. */
async function differenceOf(
  db: Database,
  packageId: string,
  folder: string,
  files: readonly HashedFile[],
): Promise<string | undefined> {
  const { rows } = await sql<{ path: string; difference: 'missing' | 'new' | 'other' }>`
    select path, case when file.sha256 is null then 'missing' when known.sha256 is null then 'new' else 'other' end
      as difference
    from (select path, encode(sha256, 'hex') as sha256 from package_files where package_id = ${packageId}) as known
      full join unnest(${files.map(({ path }) => path)}::text[], ${files.map(({ sha256 }) => sha256)}::text[])
        as file (path, sha256) using (path)
    where known.sha256 is distinct from file.sha256
    order by path limit 1`.execute(db)
  const [first] = rows
  if (!first) return undefined
  const sentences = {
    missing: 'is missing',
    new: 'was not there when the package was imported',
    other: 'is not as it was imported',
  }
  return `${formatPath(first.path)} in ${formatPath(folder)} ${sentences[first.difference]}.`
}

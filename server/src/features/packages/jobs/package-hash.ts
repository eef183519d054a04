import {
  formatPath,
  type HashedFile,
  hashFiles,
  listFiles,
  PackageFault,
  readManifest,
  requireSameFiles,
} from '@muster/package-format'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { type JobAttempt, JobFailure } from '../../../jobs/run-attempt.ts'
import { ensureContent } from '../content/open-content.ts'
import { callWaitingAgents } from '../release.ts'
import { type PackageSignature, readPackageSignature, signatureColumns } from '../signature.ts'
import { requirePackageFolder } from '../store-folder.ts'

export type PackageHashInput = { packageId: string }

/**
 * Hashes the files of a package again and compares them with the import. Files that differ make it a mismatch. If none
 * differs, copies that are missing from the content folder are made again.
 */
export async function runPackageHash(attempt: JobAttempt): Promise<void> {
  const { packageId } = attempt.input as PackageHashInput
  const { db } = attempt
  const { folder, imported } = await lockImport(db, packageId)
  const current = await hashCurrentFiles(attempt, folder)
  const files = current instanceof PackageFault ? current : current.files
  if (!(files instanceof PackageFault) && !(await findDifference(db, packageId, folder, files)))
    await ensureContents(attempt, folder, files)
  await attempt.finish(async (transaction) => {
    if ((await lockImport(transaction, packageId)).imported !== imported)
      throw new JobFailure('The package was imported again while its files were hashed. Generate the hash again.')
    const difference =
      files instanceof PackageFault ? files.message : await findDifference(transaction, packageId, folder, files)
    await transaction
      .updateTable('packages')
      .set({
        hash_state: difference ? 'Mismatch' : 'Current',
        // The keys that the service trusts may have changed since the import.
        ...(!difference && !(current instanceof PackageFault) && signatureColumns(current.signature)),
      })
      .where('id', '=', packageId)
      .execute()
    if (!difference) {
      await callWaitingAgents(transaction, packageId)
      return { status: 'Success', message: 'All files are unchanged since the import.' }
    }
    return {
      status: 'Failed',
      message: `${difference} The package is not handed out until its files are restored and hashed again, or it is imported again.`,
    }
  })
}

/** The folder and time of the import. In a transaction, the lock keeps both from changing until it ends. */
async function lockImport(db: Database, packageId: string): Promise<{ folder: string; imported: string }> {
  const { rows } = await sql<{ folder: string | null; imported: string }>`
    select folder, imported_at::text as imported from packages where id = ${packageId} for update`.execute(db)
  const [found] = rows
  if (!found?.folder) throw new JobFailure('The package has no folder in the package store.')
  return { folder: found.folder, imported: found.imported }
}

type CurrentPackage = { files: HashedFile[]; signature: PackageSignature | null }

async function hashCurrentFiles(attempt: JobAttempt, folder: string): Promise<CurrentPackage | PackageFault> {
  try {
    const { packageStore, trustedKeys } = attempt.configuration
    const root = await requirePackageFolder(packageStore, folder)
    const found = await listFiles(root, attempt.signal)
    attempt.log(`Comparing ${found.length} files in ${formatPath(folder)} with the import.`)
    const files = await hashFiles(root, found, attempt)
    const signature = await readPackageSignature(root, found, await readManifest(root, found), trustedKeys)
    requireSameFiles(found, await listFiles(root, attempt.signal))
    return { files, signature }
  } catch (error) {
    if (error instanceof PackageFault) return error
    throw error
  }
}

async function ensureContents(
  { configuration: { packageStore }, signal }: JobAttempt,
  folder: string,
  files: readonly HashedFile[],
): Promise<void> {
  try {
    for (const file of files) {
      signal.throwIfAborted()
      await ensureContent(packageStore, { folder, ...file })
    }
  } catch (error) {
    throw error instanceof PackageFault ? new JobFailure(error.message) : error
  }
}

/** A sentence about the first file that differs from the import; undefined if none does. */
async function findDifference(
  db: Database,
  packageId: string,
  folder: string,
  files: readonly HashedFile[],
): Promise<string | undefined> {
  const { rows } = await sql<{ path: string; difference: 'missing' | 'new' | 'changed' }>`
    select path, case when current.sha256 is null then 'missing' when imported.sha256 is null then 'new' else 'changed' end
      as difference
    from (select path, encode(sha256, 'hex') as sha256 from package_files where package_id = ${packageId}) as imported
      full join unnest(${files.map(({ path }) => path)}::text[], ${files.map(({ sha256 }) => sha256)}::text[])
        as current (path, sha256) using (path)
    where imported.sha256 is distinct from current.sha256
    order by path limit 1`.execute(db)
  const [first] = rows
  if (!first) return undefined
  const predicates = {
    missing: 'is missing',
    new: 'was added after the import',
    changed: 'was changed after the import',
  }
  return `${formatPath(first.path)} in ${formatPath(folder)} ${predicates[first.difference]}.`
}

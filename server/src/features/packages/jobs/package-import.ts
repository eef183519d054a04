import { lockForTransactionShared } from '../../../database/advisory-locks.ts'
import { violatedConstraint } from '../../../database/errors.ts'
import { type JobAttempt, JobFailure } from '../../../jobs/run-attempt.ts'
import { requireContents, storeContent, syncContentFolders } from '../content/store-content.ts'
import { hashFiles } from '../hash-files.ts'
import { PackageFault } from '../package-fault.ts'
import { listFiles, requirePackageFolder, requireSameFiles } from '../package-folder.ts'
import { readManifest } from '../read-manifest.ts'
import { requireFreeIdentity, writePackage } from '../write-package.ts'

export type PackageImportInput = { folder: string; overwrite: boolean }

/** Imports a folder of the package store as a new package, or replaces the content of an existing one. Copies all files. */
export async function runPackageImport(attempt: JobAttempt): Promise<void> {
  const { folder, overwrite } = attempt.input as PackageImportInput
  try {
    const { db, signal } = attempt
    const store = attempt.configuration.packageStore
    const root = await requirePackageFolder(store, folder)
    const found = await listFiles(root, signal)
    const manifest = await readManifest(root, found)
    await requireFreeIdentity(db, manifest, overwrite)
    const files = await hashFiles(root, found, attempt, (file, onRead) => storeContent(store, file, { onRead }))
    requireSameFiles(found, await listFiles(root, signal))
    await syncContentFolders(store, files)
    await attempt.finish(async (transaction) => {
      // Content is purged while no package refers to it. From here to the commit, no node purges any.
      await lockForTransactionShared(transaction, 'packageContent')
      await requireContents(store, files)
      const packageId = await writePackage(transaction, { folder, manifest, files }, overwrite)
      return { status: 'Success', packageId, message: `Imported with ${files.length} files.` }
    })
  } catch (error) {
    throw toJobFailure(error) ?? error
  }
}

function toJobFailure(error: unknown): JobFailure | undefined {
  if (error instanceof PackageFault) return new JobFailure(error.message)
  if (violatedConstraint(error) === 'packages_folder_key')
    return new JobFailure('The folder belongs to another package. Put every version of a package into its own folder.')
  return undefined
}

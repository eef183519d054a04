import { violatedConstraint } from '../../../database/errors.ts'
import { type JobAttempt, JobFailure } from '../../../jobs/run-attempt.ts'
import { hashFiles } from '../hash-files.ts'
import { PackageFault } from '../package-fault.ts'
import { listFiles, requirePackageFolder, requireSameFiles } from '../package-folder.ts'
import { readManifest } from '../read-manifest.ts'
import { requireFreeIdentity, writePackage } from '../write-package.ts'

export type PackageImportInput = { folder: string; overwrite: boolean }

/** Imports a folder of the package store as a new package, or replaces the content of an existing one. */
export async function runPackageImport(attempt: JobAttempt): Promise<void> {
  const { folder, overwrite } = attempt.input as PackageImportInput
  try {
    const { db, configuration, signal } = attempt
    const root = await requirePackageFolder(configuration.packageStore, folder)
    const found = await listFiles(root, signal)
    const manifest = await readManifest(root, found)
    await requireFreeIdentity(db, manifest, overwrite)
    const files = await hashFiles(root, found, attempt)
    requireSameFiles(found, await listFiles(root, signal))
    await attempt.finish(async (transaction) => {
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

import type { PackageManifest } from '@muster/package-format'
import { type JobAttempt, JobFailure } from '../../../jobs/run-attempt.ts'
import { isInUploadsFolder } from '../content/content-folder.ts'
import { importFolder } from '../import-folder.ts'
import { makeManifestFolder } from '../make-manifest-folder.ts'

export type PackageImportInput = {
  /** Null for a package that has nothing but its manifest. */
  folder: string | null
  manifest?: PackageManifest
  overwrite: boolean
  /** The principal who requested the import. Jobs of earlier versions lack it. */
  importer?: { id: number; name: string }
}

/** Imports a folder that somebody has put into the package store, or a manifest alone. */
export async function runPackageImport(attempt: JobAttempt): Promise<void> {
  const { folder, manifest, overwrite, importer = null } = attempt.input as PackageImportInput
  if (manifest) {
    const made = await makeManifestFolder(attempt.configuration.packageStore, attempt.id, manifest)
    return importFolder(attempt, { folder: made, overwrite, importer })
  }
  if (folder === null) throw new JobFailure('The import names neither a folder nor a manifest.')
  if (isInUploadsFolder(folder))
    throw new JobFailure(
      'The service stores uploads in this folder. Import them with POST /api/package-uploads/{id}/package.',
    )
  await importFolder(attempt, { folder, overwrite, importer })
}

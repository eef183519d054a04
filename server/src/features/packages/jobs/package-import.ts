import { type JobAttempt, JobFailure } from '../../../jobs/run-attempt.ts'
import { isInUploadsFolder } from '../content/content-folder.ts'
import { importFolder } from '../import-folder.ts'

export type PackageImportInput = {
  folder: string
  overwrite: boolean
  /** The principal who requested the import. Jobs of earlier versions lack it. */
  importer?: { id: number; name: string }
}

/** Imports a folder that somebody has put into the package store. */
export async function runPackageImport(attempt: JobAttempt): Promise<void> {
  const { folder, overwrite, importer = null } = attempt.input as PackageImportInput
  if (isInUploadsFolder(folder))
    throw new JobFailure(
      'The service stores uploads in this folder. Import them with POST /api/package-uploads/{id}/package.',
    )
  await importFolder(attempt, { folder, overwrite, importer })
}

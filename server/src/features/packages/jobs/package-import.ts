import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestName, type PackageManifest } from '@muster/package-format'
import { type JobAttempt, JobFailure } from '../../../jobs/run-attempt.ts'
import { isInUploadsFolder, uploadsFolderName } from '../content/content-folder.ts'
import { importFolder } from '../import-folder.ts'

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

/**
 * Makes the folder of a package that has nothing but a manifest, and returns its path relative to the store. It is among those of
 * uploads, which are deleted once no package and no import refers to them. An earlier attempt may have made it.
 */
async function makeManifestFolder(store: string, importId: string, manifest: PackageManifest): Promise<string> {
  const folder = `${uploadsFolderName}/packages/${importId}`
  await mkdir(join(store, folder), { recursive: true, mode: 0o700 })
  await writeFile(join(store, folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
  return folder
}

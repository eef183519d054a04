import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type HashedFile, PackageFault } from '@muster/package-format'
import { type JobAttempt, JobFailure } from '../../../jobs/run-attempt.ts'
import { importFolder } from '../../packages/import-folder.ts'
import type { UploadImportInput } from '../import-input.ts'
import { makePackageFolder } from '../make-package-folder.ts'
import { packageFolderOf } from '../upload-files.ts'
import { getUpload } from '../upload-rows.ts'

/** Makes the folder of a package from an upload, and imports it like any other folder. The upload ends with the import. */
export async function runUploadImport(attempt: JobAttempt): Promise<void> {
  const { uploadId, overwrite, importer, manifest } = attempt.input as UploadImportInput
  const folder = packageFolderOf(attempt.id)
  try {
    const upload = await findUpload(attempt, uploadId)
    await makePackageFolder(attempt, { uploadId, fileName: upload.fileName, folder, manifest })
    await importFolder(attempt, {
      folder,
      overwrite,
      importer,
      requireFiles: (files) => manifest && requireUploadedFile(files, upload),
      async alsoWrite(db) {
        await db.deleteFrom('package_uploads').where('id', '=', uploadId).execute()
      },
    })
  } catch (error) {
    const failure = error instanceof PackageFault ? new JobFailure(error.message) : error
    // Another attempt makes the folder again.
    if (failure instanceof JobFailure)
      await rm(join(attempt.configuration.packageStore, folder), { recursive: true, force: true })
    throw failure
  }
}

async function findUpload({ db }: JobAttempt, uploadId: string) {
  return getUpload(db, uploadId).catch(() => {
    throw new JobFailure('The upload was deleted before it was imported.')
  })
}

/** What the person has confirmed is the hash of the upload. */
function requireUploadedFile(files: readonly HashedFile[], upload: { fileName: string; sha256: string | null }): void {
  const file = files.find(({ path }) => path === upload.fileName)
  if (file?.sha256 !== upload.sha256)
    throw new PackageFault('The uploaded file has changed on the disk of the service. Upload it again.')
}

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type HashedFile, PackageFault } from '@muster/package-format'
import { type JobAttempt, JobFailure } from '../../../jobs/run-attempt.ts'
import { importFolder } from '../../packages/import-folder.ts'
import { downloadPackageFolder } from '../download-package-folder.ts'
import type { UploadImportInput } from '../import-input.ts'
import { makePackageFolder } from '../make-package-folder.ts'
import { packageFolderOf } from '../upload-files.ts'
import { getUpload } from '../upload-rows.ts'

/** Makes the folder of a package from an upload or a download, and imports it like any other folder. */
export async function runUploadImport(attempt: JobAttempt): Promise<void> {
  const input = attempt.input as UploadImportInput
  const folder = packageFolderOf(attempt.id)
  try {
    await (input.uploadId === undefined ? importDownload(attempt, folder, input) : importUpload(attempt, folder, input))
  } catch (error) {
    const failure = error instanceof PackageFault ? new JobFailure(error.message) : error
    // Another attempt makes the folder again.
    if (failure instanceof JobFailure)
      await rm(join(attempt.configuration.packageStore, folder), { recursive: true, force: true })
    throw failure
  }
}

/** The upload ends with the import. */
async function importUpload(attempt: JobAttempt, folder: string, input: InputWith<'uploadId'>): Promise<void> {
  const { uploadId, overwrite, importer, manifest, fileName } = input
  const upload = await findUpload(attempt, uploadId)
  const file = { fileName: fileName ?? upload.fileName, sha256: upload.sha256 }
  await makePackageFolder(attempt, { uploadId, fileName: file.fileName, folder, manifest })
  await importFolder(attempt, {
    ...{ folder, overwrite, importer },
    requireFiles: (files) => manifest && requireStoredFile(files, file),
    async alsoWrite(db) {
      await db.deleteFrom('package_uploads').where('id', '=', uploadId).execute()
    },
  })
}

async function importDownload(attempt: JobAttempt, folder: string, input: InputWith<'download'>): Promise<void> {
  const { download, overwrite, importer } = input
  await downloadPackageFolder(attempt, folder, download)
  const requireFiles = (files: readonly HashedFile[]) => requireStoredFile(files, download)
  await importFolder(attempt, { folder, overwrite, importer, requireFiles })
}

type InputWith<P extends string> = Extract<UploadImportInput, { [K in P]: unknown }>

async function findUpload({ db }: JobAttempt, uploadId: string) {
  return getUpload(db, uploadId).catch(() => {
    throw new JobFailure('The upload was deleted before it was imported.')
  })
}

/** What the person has confirmed is the hash of the file. */
function requireStoredFile(files: readonly HashedFile[], file: { fileName: string; sha256: string | null }): void {
  const found = files.find(({ path }) => path === file.fileName)
  if (found?.sha256 !== file.sha256)
    throw new PackageFault('The file has changed on the disk of the service. Upload it again.')
}

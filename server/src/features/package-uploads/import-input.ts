/** The input of the job that makes a package of an upload. */
export type UploadImportInput = {
  uploadId: string
  overwrite: boolean
  importer: { id: number; name: string }
  /** The name of the file in the package, if it is not that of the upload. */
  fileName?: string
  /** Without it, the file is an archive that contains one. */
  manifest?: Record<string, unknown>
}

/** The input of the job that makes a package of an upload. */
export type UploadImportInput = {
  uploadId: string
  overwrite: boolean
  importer: { id: number; name: string }
  /** Without it, the file is an archive that contains one. */
  manifest?: Record<string, unknown>
}

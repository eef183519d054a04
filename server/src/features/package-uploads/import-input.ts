/** The input of the job that makes a package of an upload, or of a file that it downloads. */
export type UploadImportInput = {
  overwrite: boolean
  importer: { id: number; name: string }
  /** The name of the file in the package, if it is not that of the upload. */
  fileName?: string
  /** Without it, the file is an archive that contains one. */
  manifest?: Record<string, unknown>
} & ({ uploadId: string } | { uploadId?: never; download: PackageDownload })

/** An installer on the server of its vendor. A package of it has this name for the file, and this manifest. */
export type PackageDownload = { url: string; sha256: string; fileName: string; manifest: Record<string, unknown> }

import { enqueue } from '../../../jobs/enqueue.ts'
import { findAddressFault } from '../../../platform/downloads/allowed-address.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import { TrackingIdResponse } from '../../packages/api/schemas.ts'
import { packageDownloadRules } from '../download-rules.ts'
import type { UploadImportInput } from '../import-input.ts'
import { manifestInvalid, packageDownloadNotAllowed } from '../problems.ts'
import { requireValidManifest } from '../require-valid-manifest.ts'
import { PackageDownloadRequest, requireFileName } from './schemas.ts'

export const downloadPackage = operation({
  id: 'downloadPackage',
  route: 'POST /api/packages/from-url',
  summary: 'Make a package of a file that the service downloads, as a background job',
  description:
    'The file comes with https from a host that `MUSTER_PACKAGE_HOSTS` or `MUSTER_PACKAGE_PRIVATE_HOSTS` lists, including after redirects. One with ' +
    'another hash, or one that is larger than `MUSTER_UPLOAD_SIZE_LIMIT`, is discarded. From there, it is the import of a folder ' +
    'with the file and the manifest: the same checks, the same release, and the same progress at the address in `Location`.',
  role: 'package.write',
  body: PackageDownloadRequest,
  returns: accepted(TrackingIdResponse),
  problems: [packageDownloadNotAllowed, manifestInvalid],
  extension: true,
  async handle({ body, db, caller: { principal }, services: { configuration }, setHeader }) {
    const { overwrite = false, ...download } = body
    requireFileName(download)
    const fault = findAddressFault(download.url, packageDownloadRules(configuration))
    if (fault !== undefined) throw packageDownloadNotAllowed({ reason: fault })
    requireValidManifest(download.manifest, download.fileName)
    const input: UploadImportInput = { download, overwrite, importer: { id: principal.id, name: principal.name } }
    const startedBy = { principalId: principal.id, role: 'package.write' } as const
    const trackingId = await enqueue(db, { queue: 'package-upload', subject: download.fileName, input, startedBy })
    setHeader('location', `/api/packages/import/${trackingId}`)
    return { trackingId }
  },
})

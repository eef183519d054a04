import { enqueue } from '../../../jobs/enqueue.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import type { PackageImportInput } from '../jobs/package-import.ts'
import { pathFault, withSlashes } from '../paths.ts'
import { PackageImportRequest, TrackingIdResponse } from './schemas.ts'

export const importPackage = operation({
  id: 'importPackage',
  route: 'POST /api/packages/import',
  summary: 'Import a package from a folder of the package store, as a background job',
  description: 'The job checks the manifest and hashes all files. Its progress is at the address in `Location`.',
  role: 'package.write',
  body: PackageImportRequest,
  returns: accepted(TrackingIdResponse),
  async handle({ body, db, setHeader }) {
    const fault = pathFault(body.folderPath)
    if (fault) throw invalidPart('body', 'folderPath', fault)
    const input: PackageImportInput = { folder: withSlashes(body.folderPath), overwrite: body.overwrite ?? false }
    const trackingId = await enqueue(db, { queue: 'package-import', subject: input.folder, input })
    setHeader('location', `/api/packages/import/${trackingId}`)
    return { trackingId }
  },
})

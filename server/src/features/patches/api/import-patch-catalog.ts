import { enqueue } from '../../../jobs/enqueue.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { TrackingIdResponse } from '../../packages/api/schemas.ts'
import { pathFault, withSlashes } from '../../packages/paths.ts'
import type { PatchImportInput } from '../jobs/patch-import.ts'
import { PatchCatalogImportRequest } from './schemas.ts'

export const importPatchCatalog = operation({
  id: 'importPatchCatalog',
  route: 'POST /api/patches/import',
  summary: 'Import patches from a file or a folder of the package store, as a background job',
  description:
    'Takes CSAF 2.0 advisories and catalogs of our own format. A document that is known in its revision is not written again; one that is not in order is reported and skips nothing else. Its progress is at the address in `Location`.',
  role: 'pm.write',
  extension: true,
  body: PatchCatalogImportRequest,
  returns: accepted(TrackingIdResponse),
  async handle({ body, db, setHeader }) {
    const fault = pathFault(body.folderPath)
    if (fault) throw invalidPart('body', 'folderPath', fault)
    const input: PatchImportInput = { path: withSlashes(body.folderPath), format: body.format ?? null }
    const trackingId = await enqueue(db, { queue: 'patch-import', subject: input.path, input })
    setHeader('location', `/api/patches/import/${trackingId}`)
    return { trackingId }
  },
})

import { pathFault, withSlashes } from '@muster/package-format'
import { enqueue } from '../../../jobs/enqueue.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { TrackingIdResponse } from '../../packages/api/schemas.ts'
import { findMissingPath } from '../../packages/store-folder.ts'
import type { PatchImportInput } from '../jobs/patch-import.ts'
import { PatchCatalogImportRequest } from './schemas.ts'

export const importPatchCatalog = operation({
  id: 'importPatchCatalog',
  route: 'POST /api/patches/import',
  summary: 'Start an import into the patch catalog',
  description:
    'A background job imports a JSON file, or all JSON files of a folder and its subfolders, from the package store. It ' +
    'accepts CSAF 2.0 advisories and catalogs in the Muster format. A newer revision of a document replaces the older ' +
    'one; documents that are already imported or older are counted as unchanged. Advisories also describe the patches that ' +
    'scans report, by package and version. An invalid document is refused with a reason and does not affect the ' +
    'others. The import changes neither approvals nor patch management groups. Follow its progress at the URL in ' +
    '`Location`. A path that does not exist is refused with 400.',
  role: 'pm.write',
  extension: true,
  body: PatchCatalogImportRequest,
  returns: accepted(TrackingIdResponse),
  async handle({ body, db, caller, setHeader, services }) {
    const { packageStore } = services.configuration
    const fault = pathFault(body.folderPath) ?? (await findMissingPath(packageStore, body.folderPath))
    if (fault) throw invalidPart('body', 'folderPath', fault)
    const input: PatchImportInput = { path: withSlashes(body.folderPath), format: body.format ?? null }
    const startedBy = { principalId: caller.principal.id, role: 'pm.write' } as const
    const trackingId = await enqueue(db, { queue: 'patch-import', subject: input.path, input, startedBy })
    setHeader('location', `/api/patches/import/${trackingId}`)
    return { trackingId }
  },
})

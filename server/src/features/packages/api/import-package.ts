import { pathFault, withSlashes } from '@muster/package-format'
import { enqueue } from '../../../jobs/enqueue.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import type { PackageImportInput } from '../jobs/package-import.ts'
import { findMissingFolder } from '../store-folder.ts'
import { PackageImportRequest, TrackingIdResponse } from './schemas.ts'

export const importPackage = operation({
  id: 'importPackage',
  route: 'POST /api/packages/import',
  summary: 'Import a package from a folder of the package store, as a background job',
  description:
    'Answers at once with a tracking id, or with 400 if the folder does not exist; read the progress and the result at the address in `Location`. The job ' +
    'reads `muster-package.json` in the folder, checks it, copies and hashes every file and stores the package in one ' +
    'step: until then nothing of it is visible. A new package is not handed out until its Ready-to-Install flag is set. A ' +
    'package with the same name, version, revision and operating systems is refused, unless `overwrite` is true: ' +
    'then its content is replaced, and it keeps its id, assignments and tags. Changed content clears its ' +
    'Ready-to-Install flag, unless a key of MUSTER_TRUSTED_KEYS has signed it and MUSTER_FOUR_EYES is off. A folder ' +
    'that changes while it is read is not imported. Computers get the copies: later changes in the folder have no effect on them until it ' +
    'is imported again.',
  role: 'package.write',
  body: PackageImportRequest,
  returns: accepted(TrackingIdResponse),
  async handle({ body, db, caller, setHeader, services }) {
    const { packageStore } = services.configuration
    const fault = pathFault(body.folderPath) ?? (await findMissingFolder(packageStore, body.folderPath))
    if (fault) throw invalidPart('body', 'folderPath', fault)
    const { id, name } = caller.principal
    const folder = withSlashes(body.folderPath)
    const input: PackageImportInput = { folder, overwrite: body.overwrite ?? false, importer: { id, name } }
    const startedBy = { principalId: id, role: 'package.write' } as const
    const trackingId = await enqueue(db, { queue: 'package-import', subject: folder, input, startedBy })
    setHeader('location', `/api/packages/import/${trackingId}`)
    return { trackingId }
  },
})

import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { deleteUnusedVersions } from '../clean-up.ts'
import { packageInUse } from '../problems.ts'
import { DeletedPackages, DeleteUnusedRequest } from './schemas.ts'

export const deleteUnusedPackages = operation({
  id: 'deleteUnusedPackages',
  route: 'POST /api/package-lines/clean-up',
  summary: 'Delete versions that nothing refers to',
  description:
    'All of the packages or none: answers 409 if something has begun to refer to one of them. Their content in the package store is ' +
    'purged within hours, and with it the folder of an uploaded package; the folder of an imported one stays. The history of ' +
    'deployments keeps their names.',
  role: 'package.write',
  execution: { kind: 'LongChange' },
  body: DeleteUnusedRequest,
  returns: ok(DeletedPackages),
  problems: [packageInUse],
  extension: true,
  handle({ body: { packageIds, expectedPackages }, db }) {
    if (expectedPackages !== undefined && expectedPackages !== packageIds.length)
      throw invalidPart('body', 'expectedPackages', `must be ${packageIds.length}, the number of packages`)
    return deleteUnusedVersions(
      db,
      packageIds.map((id) => id.toLowerCase()),
    )
  },
})

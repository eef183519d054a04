import { enqueue } from '../../../jobs/enqueue.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import type { PackageHashInput } from '../jobs/package-hash.ts'
import { requirePackage } from '../package-rows.ts'
import { packageNotFound } from '../problems.ts'
import { PackagePath, TrackingIdResponse } from './schemas.ts'

export const generatePackageHash = operation({
  id: 'generatePackageHash',
  route: 'POST /api/packages/:id/hash',
  summary: 'Hash the files of a package again and compare them with the import, as a background job',
  description:
    'Answers at once with a tracking id; read the progress and the result at the address in `Location`. If a file ' +
    'was changed, added or removed since the import, the job fails with a message that names the file, and ' +
    '`hashState` becomes Mismatch: the package is not handed out any more. If all files match, `hashState` becomes ' +
    'Current again, and copies that are missing are made. The stored hashes never change; to accept changed files, import the folder again with ' +
    '`overwrite`.',
  role: 'package.write',
  params: PackagePath,
  returns: accepted(TrackingIdResponse),
  problems: [packageNotFound],
  async handle({ params, db, caller, setHeader }) {
    const { id, name } = await requirePackage(db, params.id)
    const input: PackageHashInput = { packageId: id }
    const startedBy = { principalId: caller.principal.id, role: 'package.write' } as const
    const trackingId = await enqueue(db, { queue: 'package-hash', subject: name, input, packageId: id, startedBy })
    setHeader('location', `/api/packages/import/${trackingId}`)
    return { trackingId }
  },
})

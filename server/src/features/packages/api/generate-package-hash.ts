import { enqueue } from '../../../jobs/enqueue.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import type { PackageHashInput } from '../jobs/package-hash.ts'
import { requirePackage } from '../package-rows.ts'
import { packageNotFound } from '../problems.ts'
import { PackagePath, TrackingIdResponse } from './schemas.ts'

export const generatePackageHash = operation({
  id: 'generatePackageHash',
  route: 'POST /api/packages/:id/hash',
  summary: 'Hash the files of a package anew and compare them with what was imported, as a background job',
  description: 'A package whose files differ gets the hashState Mismatch and is not handed out any more.',
  role: 'package.write',
  params: PackagePath,
  returns: accepted(TrackingIdResponse),
  problems: [packageNotFound],
  async handle({ params, db, setHeader }) {
    const { id, name } = await requirePackage(db, params.id)
    const input: PackageHashInput = { packageId: id }
    const trackingId = await enqueue(db, { queue: 'package-hash', subject: name, input, packageId: id })
    setHeader('location', `/api/packages/import/${trackingId}`)
    return { trackingId }
  },
})

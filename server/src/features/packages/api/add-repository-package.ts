import { enqueue } from '../../../jobs/enqueue.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import type { PackageImportInput } from '../jobs/package-import.ts'
import { findManifestFault, toRepositoryManifest } from '../repository-manifest.ts'
import { RepositoryPackageRequest, TrackingIdResponse } from './schemas.ts'

export const addRepositoryPackage = operation({
  id: 'addRepositoryPackage',
  route: 'POST /api/packages/from-repository',
  summary: 'Make a package that comes from a Debian or RPM repository, as a background job',
  description:
    'The package has no files and no commands: the package manager of each computer installs, updates and removes it, from ' +
    'the repositories of the computer or from the one that is given. It is the import of a folder with nothing but this ' +
    'manifest: the same checks, the same release, and the same progress at the address in `Location`. The package is not ' +
    'signed: agents with pinned keys refuse it. For them, sign a folder with such a manifest and import it.',
  role: 'package.write',
  body: RepositoryPackageRequest,
  returns: accepted(TrackingIdResponse),
  extension: true,
  async handle({ body, db, caller, setHeader }) {
    const { overwrite = false, ...given } = body
    const manifest = toRepositoryManifest(given)
    const fault = findManifestFault(manifest)
    if (fault) throw invalidPart('body', fault.property, fault.predicate)
    const { id, name } = caller.principal
    const input: PackageImportInput = { folder: null, manifest, overwrite, importer: { id, name } }
    const startedBy = { principalId: id, role: 'package.write' } as const
    const subject = manifest.source?.package ?? manifest.name
    const trackingId = await enqueue(db, { queue: 'package-import', subject, input, startedBy })
    setHeader('location', `/api/packages/import/${trackingId}`)
    return { trackingId }
  },
})

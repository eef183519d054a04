import { enqueue } from '../../../jobs/enqueue.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import { closed, type Static, Uuid } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { TrackingIdResponse } from '../../packages/api/schemas.ts'
import type { UploadImportInput } from '../import-input.ts'
import { manifestInvalid, notYourUpload, uploadInUse, uploadNotFound, uploadNotReady } from '../problems.ts'
import { requireValidManifest } from '../require-valid-manifest.ts'
import { getOwnUpload, lockUpload } from '../upload-rows.ts'
import { PackageOfUpload, requireFileName } from './schemas.ts'

export const importPackageUpload = operation({
  id: 'importPackageUpload',
  route: 'POST /api/package-uploads/:id/package',
  summary: 'Make a package of an upload, as a background job',
  description:
    'With `manifest`, the package has the file, under `fileName`, and this manifest. Without it, the file is an archive of the ' +
    'folder of a package. From there, it is the import of a folder with these files: the same checks, the same rules for signatures and for the ' +
    'release by a second person, and the same progress at the address in `Location`. The upload ends with the import; if the import ' +
    'fails, it can be repeated. Only the principal that uploaded the file can import it: who provides the content of a package ' +
    'counts as its importer.',
  role: 'package.write',
  params: closed({ id: Uuid }),
  body: PackageOfUpload,
  bodyOptional: true,
  returns: accepted(TrackingIdResponse),
  problems: [uploadNotFound, notYourUpload, uploadNotReady, uploadInUse, manifestInvalid],
  extension: true,
  async handle({ params: { id }, body, db, caller: { principal }, setHeader }) {
    await lockUpload(db, id)
    const { fileName, state } = await getOwnUpload(db, id, principal)
    if (state === 'Importing') throw uploadInUse({ uploadId: id })
    if (state !== 'Ready') throw uploadNotReady({ uploadId: id })
    const { manifest, overwrite = false, fileName: nameInPackage } = (body ?? {}) as Static<typeof PackageOfUpload>
    if (nameInPackage !== undefined) requireNameInPackage(nameInPackage, manifest)
    if (manifest) requireValidManifest(manifest, nameInPackage ?? fileName)
    const importer = { id: principal.id, name: principal.name }
    const input: UploadImportInput = {
      ...{ uploadId: id, overwrite, importer },
      ...(manifest && { manifest }),
      ...(nameInPackage !== undefined && { fileName: nameInPackage }),
    }
    const startedBy = { principalId: principal.id, role: 'package.write' } as const
    const trackingId = await enqueue(db, { queue: 'package-upload', subject: fileName, input, startedBy })
    await db.updateTable('package_uploads').set({ import_id: trackingId }).where('id', '=', id).execute()
    setHeader('location', `/api/packages/import/${trackingId}`)
    return { trackingId }
  },
})

/** An archive brings the names of its files. */
function requireNameInPackage(fileName: string, manifest: object | undefined): void {
  if (!manifest) throw invalidPart('body', 'fileName', 'needs a manifest')
  requireFileName({ fileName })
}

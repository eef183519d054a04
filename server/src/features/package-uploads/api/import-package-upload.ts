import { manifestName, PackageFault, parseManifest } from '@muster/package-format'
import { enqueue } from '../../../jobs/enqueue.ts'
import { accepted, operation } from '../../../platform/operation.ts'
import { closed, type Static, Uuid } from '../../../platform/schema.ts'
import { TrackingIdResponse } from '../../packages/api/schemas.ts'
import type { UploadImportInput } from '../import-input.ts'
import { manifestInvalid, notYourUpload, uploadInUse, uploadNotFound, uploadNotReady } from '../problems.ts'
import { getOwnUpload, lockUpload } from '../upload-rows.ts'
import { PackageOfUpload } from './schemas.ts'

export const importPackageUpload = operation({
  id: 'importPackageUpload',
  route: 'POST /api/package-uploads/:id/package',
  summary: 'Make a package of an upload, as a background job',
  description:
    'With `manifest`, the package has the file and this manifest. Without it, the file is an archive of the folder of a package. ' +
    'From there, it is the import of a folder with these files: the same checks, the same rules for signatures and for the ' +
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
    const { manifest, overwrite = false } = (body ?? {}) as Static<typeof PackageOfUpload>
    if (manifest) requireValidManifest(manifest, fileName)
    const importer = { id: principal.id, name: principal.name }
    const input: UploadImportInput = { uploadId: id, overwrite, importer, ...(manifest && { manifest }) }
    const startedBy = { principalId: principal.id, role: 'package.write' } as const
    const trackingId = await enqueue(db, { queue: 'package-upload', subject: fileName, input, startedBy })
    await db.updateTable('package_uploads').set({ import_id: trackingId }).where('id', '=', id).execute()
    setHeader('location', `/api/packages/import/${trackingId}`)
    return { trackingId }
  },
})

/** The import checks it again, with the content of the file. Here, the person who wrote it learns of a fault at once. */
function requireValidManifest(manifest: object, fileName: string): void {
  try {
    parseManifest(Buffer.from(JSON.stringify(manifest)), new Set([fileName, manifestName]))
  } catch (error) {
    throw error instanceof PackageFault ? manifestInvalid({ reason: error.message }) : error
  }
}

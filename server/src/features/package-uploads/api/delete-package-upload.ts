import { noContent, operation } from '../../../platform/operation.ts'
import { closed, Uuid } from '../../../platform/schema.ts'
import { notYourUpload, tusVersionUnsupported, uploadInUse, uploadNotFound } from '../problems.ts'
import { requireTusVersion } from '../tus.ts'
import { getUpload, lockUpload } from '../upload-rows.ts'

export const deletePackageUpload = operation({
  id: 'deletePackageUpload',
  route: 'DELETE /api/package-uploads/:id',
  summary: 'Delete an upload',
  description:
    'Ends a request that sends its bytes. The file is deleted within minutes. Uploads of other principals need the role ' +
    '`admin.manage`.',
  role: 'package.write',
  params: closed({ id: Uuid }),
  returns: noContent,
  problems: [uploadNotFound, notYourUpload, uploadInUse, tusVersionUnsupported],
  extension: true,
  async handle({ params: { id }, db, caller: { principal }, request }) {
    requireTusVersion(request.headers)
    await lockUpload(db, id)
    const upload = await getUpload(db, id)
    if (upload.principalId !== principal.id && !principal.roles.has('admin.manage'))
      throw notYourUpload({ uploadId: id })
    if (upload.state === 'Importing') throw uploadInUse({ uploadId: id })
    await db.deleteFrom('package_uploads').where('id', '=', id).execute()
  },
})

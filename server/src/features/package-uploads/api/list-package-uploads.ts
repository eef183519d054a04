import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type } from '../../../platform/schema.ts'
import { uploadRows } from '../upload-rows.ts'
import { toUpload } from './answers.ts'
import { PackageUpload } from './schemas.ts'

export const listPackageUploads = operation({
  id: 'listPackageUploads',
  route: 'GET /api/package-uploads',
  summary: 'List the files that are being uploaded, and those of which no package has been made yet, newest first',
  description:
    'Shows the uploads of all principals, because they share the room on the disk. An imported upload is not listed.',
  role: 'package.write',
  query: closed({
    ...paging,
    own: Type.Optional(Type.Boolean({ description: 'Only the uploads of the caller', examples: [true] })),
  }),
  returns: ok(pagedResultOf(PackageUpload)),
  extension: true,
  async handle(call) {
    const { db, query, caller } = call
    let rows = uploadRows(db)
    if (query.own) rows = rows.where('upload.principal_id', '=', caller.principal.id)
    const matching = db.selectFrom(rows.as('upload')).selectAll()
    const page = await pageOf(call, matching, { columns: ['createdAtUtc', 'id'], descending: true })
    return { ...page, items: page.items.map((upload) => toUpload(upload, caller.principal)) }
  },
})

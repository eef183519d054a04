import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { patchFileRows, withAllowance } from '../files/patch-file-rows.ts'
import { requirePatch } from '../patch-rows.ts'
import { patchNotFound } from '../problems.ts'
import { PatchFile, PatchPath } from './schemas.ts'

export const listPatchFiles = operation({
  id: 'listPatchFiles',
  route: 'GET /api/patches/:patchId/files',
  summary: 'List the files of a patch and whether they are downloaded',
  description:
    'The files that catalogs and advisories name for the patch, one item per product version. Computers get files with ' +
    'the status `Stored` together with the fix package.',
  role: 'pm.read',
  extension: true,
  params: PatchPath,
  query: closed(paging),
  returns: ok(pagedResultOf(PatchFile)),
  problems: [patchNotFound],
  async handle(call) {
    const { params, db, services } = call
    await requirePatch(db, params.patchId)
    const files = patchFileRows(db).where('patch_files.patch_id', '=', params.patchId)
    const page = await pageOf(call, files, { columns: ['productId', 'sha256'] })
    return { ...page, items: page.items.map((file) => withAllowance(file, services.configuration)) }
  },
})

import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { Tag } from '../../tags/api/schemas.ts'
import { requirePackage } from '../package-rows.ts'
import { packageTagRows } from '../package-tags.ts'
import { packageNotFound } from '../problems.ts'
import { PackagePath } from './schemas.ts'

export const getPackageTags = operation({
  id: 'getPackageTags',
  route: 'GET /api/packages/:id/tags',
  summary: 'List the tags of a package',
  role: 'package.read',
  params: PackagePath,
  query: closed(paging),
  returns: ok(pagedResultOf(Tag)),
  problems: [packageNotFound],
  async handle(call) {
    const { params, db } = call
    await requirePackage(db, params.id)
    // setPackageTags calls this handler without a page to read the version that it replaces.
    const query = { ...call.query, skip: call.query.skip ?? 0, top: call.query.top ?? 50 }
    return pageOf({ ...call, query }, packageTagRows(db, params.id), { columns: ['id'] })
  },
})

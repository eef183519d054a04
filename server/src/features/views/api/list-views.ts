import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type } from '../../../platform/schema.ts'
import { viewRows } from '../view-rows.ts'
import { View, ViewPageName } from './schemas.ts'

export const listViews = operation({
  id: 'listViews',
  route: 'GET /api/views',
  summary: 'List the saved views of the caller, and those shared with one of its roles',
  description: 'Administrators (admin.manage) see all views that are shared.',
  role: 'computer.read',
  extension: true,
  query: closed({ ...paging, page: Type.Optional({ ...ViewPageName, description: 'Only views of this page' }) }),
  returns: ok(pagedResultOf(View)),
  handle(call) {
    const { db, query, caller } = call
    const rows = db.selectFrom(viewRows(db, caller.principal).as('view')).selectAll()
    const matching = query.page === undefined ? rows : rows.where('page', '=', query.page)
    return pageOf(call, matching, { columns: ['name', 'id'] })
  },
})

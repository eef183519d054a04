import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { reportRows } from '../report-rows.ts'
import { Report } from './schemas.ts'

export const listReports = operation({
  id: 'listReports',
  route: 'GET /api/reports',
  summary: 'List your reports by name',
  description: 'Administrators see those of all principals.',
  role: 'computer.read',
  extension: true,
  query: closed(paging),
  returns: ok(pagedResultOf(Report)),
  handle(call) {
    const { db, caller } = call
    const { id, roles } = caller.principal
    const rows = reportRows(db)
    const visible = roles.has('admin.manage') ? rows : rows.where('reports.principal_id', '=', id)
    return pageOf(call, visible, { columns: ['name', 'id'] })
  },
})

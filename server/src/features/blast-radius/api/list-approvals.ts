import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type } from '../../../platform/schema.ts'
import { approvalRows } from '../approval-rows.ts'
import { Approval, ApprovalState } from './schemas.ts'

export const listApprovals = operation({
  id: 'listApprovals',
  route: 'GET /api/approvals',
  summary: 'List the requests that need an approval, newest first',
  description:
    'Administrators (admin.manage) see all requests, other principals their own. Decided and expired requests are listed ' +
    'for about thirty days.',
  role: 'any valid token',
  query: closed({ ...paging, state: Type.Optional(ApprovalState) }),
  returns: ok(pagedResultOf(Approval)),
  extension: true,
  handle(call) {
    const { db, query, caller } = call
    const rows = db.selectFrom(approvalRows(db, caller.principal).as('approval')).selectAll()
    const matching = query.state === undefined ? rows : rows.where('state', '=', query.state)
    return pageOf(call, matching, { columns: ['requestedAtUtc', 'approvalId'], descending: true })
  },
})

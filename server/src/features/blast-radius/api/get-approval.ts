import { ok, operation } from '../../../platform/operation.ts'
import { approvalRows } from '../approval-rows.ts'
import { approvalNotFound } from './problems.ts'
import { Approval, ApprovalPath } from './schemas.ts'

export const getApproval = operation({
  id: 'getApproval',
  route: 'GET /api/approvals/:id',
  summary: 'Get a request that needs an approval',
  description: 'Administrators (admin.manage) see all requests, other principals their own.',
  role: 'any valid token',
  params: ApprovalPath,
  returns: ok(Approval),
  problems: [approvalNotFound],
  extension: true,
  async handle({ params: { id }, db, caller }) {
    const approval = await approvalRows(db, caller.principal).where('approvals.id', '=', id).executeTakeFirst()
    if (!approval) throw approvalNotFound({ approvalId: id })
    return approval
  },
})

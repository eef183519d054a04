import { ok, operation } from '../../../platform/operation.ts'
import { approvalRows, lockPendingApproval, recordDecision } from '../approval-rows.ts'
import { getApproval } from './get-approval.ts'
import { approvalDecided, approvalNotFound } from './problems.ts'
import { Approval, ApprovalPath } from './schemas.ts'

export const denyRequest = operation({
  id: 'denyRequest',
  route: 'DELETE /api/approvals/:id',
  summary: 'Deny or withdraw a request that needs an approval',
  description: 'Administrators (admin.manage) can deny every request, other principals can withdraw their own.',
  role: 'any valid token',
  params: ApprovalPath,
  returns: ok(Approval),
  problems: [approvalNotFound, approvalDecided],
  changes: getApproval,
  extension: true,
  async handle({ params: { id }, db, caller: { principal } }) {
    const rows = approvalRows(db, principal).where('approvals.id', '=', id)
    if (!(await rows.executeTakeFirst())) throw approvalNotFound({ approvalId: id })
    if (!(await lockPendingApproval(db, id))) throw approvalDecided({ approvalId: id })
    await recordDecision(db, id, {
      state: 'Denied',
      decidedBy: principal.name,
      answerStatus: null,
      problemCode: null,
    })
    return rows.executeTakeFirstOrThrow()
  },
})

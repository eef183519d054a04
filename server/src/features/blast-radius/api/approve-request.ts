import { ok, operation } from '../../../platform/operation.ts'
import { approvalRows, lockPendingApproval, recordDecision } from '../approval-rows.ts'
import { runApproved } from '../run-approved.ts'
import { getApproval } from './get-approval.ts'
import { approvalDecided, approvalNotFound, ownRequest } from './problems.ts'
import { Approval, ApprovalPath } from './schemas.ts'

export const approveRequest = operation({
  id: 'approveRequest',
  route: 'POST /api/approvals/:id',
  summary: 'Approve a request and carry it out',
  description:
    'Carries the request out once, as the principal that made it and with the roles that it has now. The principal that ' +
    'made the request cannot approve it. Only computers that the request affected when it was made are affected: an ' +
    'activation and a reboot leave others out; other requests fail (`ApprovedComputersChanged`) if they would affect ' +
    'others. It also fails (`ApprovedContentChanged`) if the computers would get packages, images or content that was not ' +
    'assigned when it was made. If the request fails, nothing is changed, `state` is `Failed` and `problemCode` says why.',
  role: 'admin.manage',
  execution: { kind: 'LongChange' },
  params: ApprovalPath,
  returns: ok(Approval),
  problems: [approvalNotFound, approvalDecided, ownRequest],
  changes: getApproval,
  extension: true,
  async handle({ params: { id }, db, services, operations, request, caller: { principal } }) {
    const rows = approvalRows(db, principal).where('approvals.id', '=', id)
    const pending = await lockPendingApproval(db, id)
    if (!pending)
      throw (await rows.executeTakeFirst()) ? approvalDecided({ approvalId: id }) : approvalNotFound({ approvalId: id })
    if (pending.requester_id === principal.id) throw ownRequest({ approvalId: id })
    const { status, problemCode } = await runApproved(db, { services, operations, request }, pending)
    await recordDecision(db, id, {
      state: problemCode === null ? 'Executed' : 'Failed',
      decidedBy: principal.name,
      answerStatus: status,
      problemCode,
    })
    return rows.executeTakeFirstOrThrow()
  },
})

import type { AnyOperation } from '../../../platform/operation.ts'
import { approveRequest } from './approve-request.ts'
import { denyRequest } from './deny-request.ts'
import { getApproval } from './get-approval.ts'
import { getBlastRadius } from './get-blast-radius.ts'
import { getFreeze } from './get-freeze.ts'
import { listApprovals } from './list-approvals.ts'
import { setBlastRadius } from './set-blast-radius.ts'
import { setFreeze } from './set-freeze.ts'

export const blastRadiusApi: readonly AnyOperation[] = [
  getBlastRadius,
  setBlastRadius,
  getFreeze,
  setFreeze,
  listApprovals,
  getApproval,
  approveRequest,
  denyRequest,
]

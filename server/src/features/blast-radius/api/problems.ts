import { problem } from '../../../platform/problem.ts'

export const approvalNotFound = problem('ApprovalNotFound', 404, 'The caller can see no approval with this id.')

export const approvalDecided = problem(
  'ApprovalDecided',
  409,
  'The request was approved or denied before, or has expired. If it is still wanted, make it again.',
)

export const ownRequest = problem('OwnRequest', 409, 'The principal that made the request cannot approve it.')

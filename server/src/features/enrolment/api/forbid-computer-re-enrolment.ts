import { noContent, operation } from '../../../platform/operation.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { setReEnrolmentDeadline } from '../enrolment-tokens.ts'
import { agentNotFound } from './problems.ts'
import { ReEnrolmentPath } from './schemas.ts'

export const forbidComputerReEnrolment = operation({
  id: 'forbidComputerReEnrolment',
  route: 'DELETE /api/computer/:id/re-enrolment',
  summary: 'Withdraw the permission for another agent to take over a computer',
  description: 'Succeeds also when there is no such permission. Answers 404 when the computer has no agent.',
  role: 'computer.write',
  params: ReEnrolmentPath,
  returns: noContent,
  problems: [computerNotFound, agentNotFound],
  extension: true,
  handle: ({ params, db }) => setReEnrolmentDeadline(db, params.id, null),
})

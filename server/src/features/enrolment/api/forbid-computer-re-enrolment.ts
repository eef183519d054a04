import { noContent, operation } from '../../../platform/operation.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { allowReEnrolment } from '../queries.ts'
import { agentNotFound } from './problems.ts'
import { ReEnrolmentPath } from './schemas.ts'

export const forbidComputerReEnrolment = operation({
  id: 'forbidComputerReEnrolment',
  route: 'DELETE /api/computer/:id/re-enrolment',
  summary: 'Take back the permission for another agent to take over the computer',
  role: 'computer.write',
  params: ReEnrolmentPath,
  returns: noContent,
  problems: [computerNotFound, agentNotFound],
  extension: true,
  handle: ({ params, db }) => allowReEnrolment(db, params.id, null),
})

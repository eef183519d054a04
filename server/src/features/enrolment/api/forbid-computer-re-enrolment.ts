import { noContent, operation } from '../../../platform/operation.ts'
import { computerNotFound, lockComputer } from '../../computers/computers.ts'
import { deleteReEnrolmentCode } from '../re-enrolment-codes.ts'
import { ReEnrolmentPath } from './schemas.ts'

export const forbidComputerReEnrolment = operation({
  id: 'forbidComputerReEnrolment',
  route: 'DELETE /api/computer/:id/re-enrolment',
  summary: 'Withdraw the re-enrolment code of a computer',
  description: 'Succeeds also when the computer has no code.',
  role: 'admin.manage',
  params: ReEnrolmentPath,
  returns: noContent,
  problems: [computerNotFound],
  extension: true,
  async handle({ params: { id }, db }) {
    await lockComputer(db, id)
    await deleteReEnrolmentCode(db, id)
  },
})

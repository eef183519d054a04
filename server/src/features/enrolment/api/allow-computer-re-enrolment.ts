import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { setReEnrolmentDeadline } from '../enrolment-tokens.ts'
import { agentNotFound } from './problems.ts'
import { ReEnrolment, ReEnrolmentPath, ReEnrolmentRequest } from './schemas.ts'

const dayMs = 86_400_000

export const allowComputerReEnrolment = operation({
  id: 'allowComputerReEnrolment',
  route: 'POST /api/computer/:id/re-enrolment',
  summary: 'Allow another agent to take over a computer',
  description: 'The permission is used up by the next enrolment. Until then the current agent keeps its credential.',
  role: 'computer.write',
  params: ReEnrolmentPath,
  body: ReEnrolmentRequest,
  bodyOptional: true,
  returns: ok(ReEnrolment),
  problems: [computerNotFound, agentNotFound],
  extension: true,
  async handle({ params: { id: clientId }, body, db }) {
    const untilUtc = body?.untilUtc ?? new Date(Date.now() + dayMs)
    if (untilUtc <= new Date()) throw invalidPart('body', 'untilUtc', 'must be in the future')
    await setReEnrolmentDeadline(db, clientId, untilUtc)
    return { clientId, untilUtc }
  },
})

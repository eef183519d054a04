import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { allowReEnrolment } from '../queries.ts'
import { agentNotFound } from './problems.ts'
import { ReEnrolment, ReEnrolmentPath, ReEnrolmentRequest } from './schemas.ts'

const day = 86_400_000

export const allowComputerReEnrolment = operation({
  id: 'allowComputerReEnrolment',
  route: 'POST /api/computer/:id/re-enrolment',
  summary: 'Allow another agent to take over the computer, once',
  description: 'The agent that the computer has keeps its credential until another one has enrolled.',
  role: 'computer.write',
  params: ReEnrolmentPath,
  body: ReEnrolmentRequest,
  bodyOptional: true,
  returns: ok(ReEnrolment),
  problems: [computerNotFound, agentNotFound],
  extension: true,
  async handle({ params: { id: clientId }, body, db }) {
    const untilUtc = body?.untilUtc ?? new Date(Date.now() + day)
    if (untilUtc <= new Date()) throw invalidPart('body', 'untilUtc', 'must be in the future')
    await allowReEnrolment(db, clientId, untilUtc)
    return { clientId, untilUtc }
  },
})

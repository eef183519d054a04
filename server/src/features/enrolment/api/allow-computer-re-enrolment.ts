import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { computerNotFound, lockComputer } from '../../computers/computers.ts'
import { createReEnrolmentCode } from '../re-enrolment-codes.ts'
import { ReEnrolment, ReEnrolmentPath, ReEnrolmentRequest } from './schemas.ts'

const maxLifetimeMs = 86_400_000

export const allowComputerReEnrolment = operation({
  id: 'allowComputerReEnrolment',
  route: 'POST /api/computer/:id/re-enrolment',
  summary: 'Create a code with which one agent may enrol for a computer',
  description: [
    'An agent that enrols with the code takes over the computer, or is its first agent without a quarantine. The code is used up by one enrolment and expires after 24 hours at the latest; a new code replaces it.',
    'Until then the current agent keeps its credential. The answer is the only place that shows the code; the service stores its hash.',
  ].join('\n'),
  role: 'admin.manage',
  params: ReEnrolmentPath,
  body: ReEnrolmentRequest,
  bodyOptional: true,
  returns: ok(ReEnrolment),
  problems: [computerNotFound],
  extension: true,
  async handle({ params: { id: clientId }, body, db, services }) {
    const now = Date.now()
    const untilUtc = body?.untilUtc ?? new Date(now + maxLifetimeMs)
    if (untilUtc.getTime() <= now) throw invalidPart('body', 'untilUtc', 'must be in the future')
    if (untilUtc.getTime() > now + maxLifetimeMs) throw invalidPart('body', 'untilUtc', 'must be within 24 hours')
    await lockComputer(db, clientId)
    const code = await createReEnrolmentCode(db, services.keys, clientId, untilUtc)
    return { clientId, untilUtc, code }
  },
})

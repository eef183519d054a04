import { problem } from '../../platform/problem.ts'

export const enrolmentTokenInvalid = problem(
  'EnrolmentTokenInvalid',
  401,
  'The enrolment token or re-enrolment code is unknown, expired, revoked, used up or meant for another computer.',
)

export const alreadyEnrolled = problem(
  'AlreadyEnrolled',
  409,
  'The computer already has an agent. Another one needs a re-enrolment code to take over.',
)

export const quarantineFull = problem(
  'QuarantineFull',
  409,
  'Several agents claim to run on this computer and wait in quarantine. Confirm or reject them first.',
)

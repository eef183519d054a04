import { problem } from '../../platform/problem.ts'

export const enrolmentTokenInvalid = problem(
  'EnrolmentTokenInvalid',
  401,
  'The enrolment token is unknown, expired, revoked or used up.',
)

export const alreadyEnrolled = problem(
  'AlreadyEnrolled',
  409,
  'The computer already has an agent. Allow its re-enrolment to let another agent take over.',
)

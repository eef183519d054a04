import { problem } from '../../../platform/problem.ts'

export const vulnerabilityNotFound = problem(
  'VulnerabilityNotFound',
  404,
  'No imported advisory names this vulnerability.',
)

export const vulnerabilityImportNotFound = problem(
  'ImportNotFound',
  404,
  'No import of advisories has this tracking id. Finished imports are kept for 30 days.',
)

export const vulnerabilityExceptionNotFound = problem(
  'VulnerabilityExceptionNotFound',
  404,
  'No exception has this id.',
)

export const noExceptionInForce = problem(
  'NoExceptionInForce',
  404,
  'No exception that is in force covers all of these computers.',
)

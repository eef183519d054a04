import { problem } from '../../../platform/problem.ts'

export const patchImportNotFound = problem(
  'ImportNotFound',
  404,
  'No patch catalog import has this tracking id. Finished imports are kept for 30 days.',
)

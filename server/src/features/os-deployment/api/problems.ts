import { problem } from '../../../platform/problem.ts'

export const noReportToConfirm = problem(
  'NoReportToConfirm',
  409,
  'No installer that was booted from this address has reported, or its report counts already.',
)

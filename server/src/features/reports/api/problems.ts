import { problem } from '../../../platform/problem.ts'

export const reportNotFound = problem('ReportNotFound', 404, 'No report of yours has this id.')

export const duplicateReportName = problem('DuplicateReportName', 409, 'Another report of yours has this name.', {
  constraint: 'reports_principal_id_name_key',
})

export const reportOfAnother = problem(
  'ReportOfAnother',
  403,
  'The report belongs to another principal. Administrators can pause and delete it.',
)

export const reportPrincipalInactive = problem(
  'ReportPrincipalInactive',
  409,
  'The principal of the report is revoked or has expired. Restore the principal first, or create the report again.',
)

export const recipientRefused = problem(
  'RecipientRefused',
  400,
  'Mails cannot be sent to this recipient: administrators have not listed its domain for the mail server, or have set none.',
)

export const tooManyReports = problem('TooManyReports', 409, 'You have too many reports. Delete one first.')

export const reportFileMissing = problem('ReportFileMissing', 404, 'The run has no document.')

export const reportRunWaiting = problem(
  'ReportRunWaiting',
  409,
  'A run of the report that was requested has not ended.',
)

const days = ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The data set has one report, which the background makes. It is sent nowhere. */
export const unseenReportValues = [
  'MailServer.tlsMode=Implicit',
  'MailServer.caCertificates',
  'MailServerTest.error',
  'ReportKind=Issues',
  'ReportKind=PatchCompliance',
  'ReportKind=Software',
  'ReportFormat=Csv',
  'ReportFrequency=Daily',
  'ReportFrequency=Monthly',
  ...days.map((day) => `ReportSchedule.weekday=${day}`),
  'ReportSchedule.dayOfMonth',
  'Report.webhookId',
  'Report.pauseReason',
  'ReportRunState=Succeeded',
  'ReportRunState=Failed',
  'ReportRun.rows',
  'ReportRun.totalRows',
  'ReportRun.postedAtUtc',
  'ReportRun.mailedAtUtc',
  'ReportRun.error',
  'ReportRun.endedAtUtc',
]

/** Columns of reports that are made and sent, and of the one mail server. */
export const unusedReportColumns = [
  'mail_server.ca_certificates',
  'mail_server.id',
  'report_files.*',
  'report_runs.attempts',
  'report_runs.claim_id',
  'report_runs.claimed_until',
  'report_runs.ended_at',
  'report_runs.error',
  'report_runs.mailed_at',
  'report_runs.posted_at',
  'report_runs.row_count',
  'report_runs.state',
  'report_runs.total_count',
  'reports.is_paused',
  'reports.pause_reason',
  'reports.recipients',
  'reports.webhook_id',
]

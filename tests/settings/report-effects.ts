import type { Effects } from './effects-type.ts'

/** The settings of reports, of the mail server and of licences. */
export const reportEffects: Effects = {
  setMailServer: {
    'host, port, userName, password':
      'mail/mail-server.test.ts: the password is stored encrypted, never shown, and sent to no other host, port or user',
    'tlsMode, fromAddress':
      'mail/mail-server.test.ts: a test mail is sent over TLS that begins at once or after a command',
    caCertificates:
      'mail/mail-server.test.ts: nothing is sent without TLS, or to a server whose certificate is of another name or not trusted',
    'recipientDomains[]':
      'reports/runs.test.ts: recipients are plain addresses in the domains that administrators list, at creation and when it is sent',
  },
  'createReport, updateReport': {
    format: 'reports/contents.test.ts: a PDF has pages, and is made of hostile texts as well',
    'schedule.frequency, schedule.time, schedule.timeZone, schedule.weekday, schedule.dayOfMonth':
      'reports/runs.test.ts: a report is made at its time in its time zone, and once for all that was missed',
    webhookId:
      'reports/runs.test.ts: a webhook is called with the document and its address, signed, and only for administrators',
    'recipients[]':
      'reports/runs.test.ts: a report is mailed with its document, over TLS and as the user of the mail server',
  },
  createReport: {
    kind: 'reports/contents.test.ts: a report of licences compares what is owned with what is installed',
    groupId: 'reports/contents.test.ts: a requested report of issues has the computers of its group, and no formula',
  },
  updateReport: {
    isPaused:
      'reports/rights.test.ts: a report is seen and changed by its principal, and paused and deleted by administrators',
  },
  'createLicence, updateLicence': {
    'productPattern, owned':
      'reports/contents.test.ts: a report of licences compares what is owned with what is installed',
  },
}

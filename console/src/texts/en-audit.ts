import type { AuditSentence } from './audit-sentence.ts'
import { enAuditSentences } from './en-audit-sentences.ts'

export const enAudit = {
  title: 'Audit trail',
  intro: 'Every change made through the API, newest first.',
  columns: {
    time: 'Time',
    principal: 'Principal',
    what: 'What happened',
    operation: 'Operation',
    target: 'Target',
    status: 'Status',
  },
  principal: 'Principal',
  operation: 'Operation',
  target: 'Target',
  targetHint: 'Path of a resource; includes everything below it',
  after: 'From',
  before: 'Until',
  show: 'Show',
  emptyTitle: 'No changes yet',
  emptyText: 'Changes appear here as soon as they are made.',
  entryTitle: (id: number) => `Entry ${id}`,
  details: (id: number) => `Details of entry ${id}`,
  request: 'Request, without secrets',
  requestId: 'Request ID',
  hash: 'Hash',
  hashHint: 'Covers this entry and all earlier ones. npm run verify-audit verifies the whole trail.',
  sameTarget: 'All entries for this target',
  sentences: enAuditSentences as Record<keyof typeof enAuditSentences, AuditSentence>,
  andMore: (n: number) => `and ${n.toLocaleString('en')} more`,
  samePrincipal: 'All entries by this principal',
}

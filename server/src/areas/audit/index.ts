import type { Area } from '../../platform/operation.ts'
import { listAuditEntries } from './list-audit-entries.ts'

export const audit: Area = {
  name: 'Audit',
  description: 'The trail of all changes.',
  operations: [listAuditEntries],
}

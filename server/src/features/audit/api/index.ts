import type { AnyOperation } from '../../../platform/operation.ts'
import { listAuditEntries } from './list-audit-entries.ts'

export const auditApi: readonly AnyOperation[] = [listAuditEntries]

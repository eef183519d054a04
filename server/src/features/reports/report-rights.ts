import type { Role } from '../../platform/roles.ts'
import { contents, type ReportKind } from './contents/index.ts'

/** What a principal needs to make a report, and to see its documents. */
export const rolesOfKind = (kind: ReportKind): readonly Role[] => contents[kind].roles

/** What the principal of a report needs each time that the report is made and sent. Webhooks belong to administrators. */
export function rolesOfReport({ kind, webhookId }: { kind: ReportKind; webhookId: string | null }): readonly Role[] {
  return webhookId === null ? rolesOfKind(kind) : [...rolesOfKind(kind), 'admin.manage']
}

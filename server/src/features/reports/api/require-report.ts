import type { Database } from '../../../database/connect.ts'
import { requireRole } from '../../../platform/authentication/authenticate.ts'
import type { Principal } from '../../../platform/authentication/principals.ts'
import { rolesOfKind } from '../report-rights.ts'
import { reportRows } from '../report-rows.ts'
import { reportNotFound, reportOfAnother } from './problems.ts'

/** A report that the principal may see: its own, or any for administrators. */
export async function requireReport(db: Database, id: string, principal: Principal) {
  const report = await reportRows(db).where('reports.id', '=', id).executeTakeFirst()
  if (!report || (report.principalId !== principal.id && !principal.roles.has('admin.manage')))
    throw reportNotFound({ reportId: id })
  return report
}

/** A report of the principal, which may read what the report shows. */
export async function requireOwnReport(db: Database, id: string, principal: Principal) {
  const report = await requireReport(db, id, principal)
  if (report.principalId !== principal.id) throw reportOfAnother({ reportId: id })
  for (const role of rolesOfKind(report.kind)) requireRole(principal, role)
  return report
}

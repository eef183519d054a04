import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { executePrepared } from '../../database/prepared-statements.ts'
import { isOfOpenInstallation } from './boot-grants.ts'
import { type OsInstallation, recordOsInstallation } from './record-os-installation.ts'

/**
 * An agent that enrols proves that the new operating system runs: the success that its installer reported counts from now
 * on. Without such a report, nothing changes.
 */
export async function confirmByEnrolment(db: Database, clientId: number): Promise<void> {
  const report = await findReport(db, clientId, sql`status = 'Success'`)
  if (report) await recordOsInstallation(db, clientId, report)
}

/** Lets the report of one address count, because a person decided so. Returns false if the address has not reported. */
export async function confirmReportOf(db: Database, clientId: number, address: string): Promise<boolean> {
  const report = await findReport(db, clientId, sql`address = ${address}`)
  if (report) await recordOsInstallation(db, clientId, report)
  return report !== undefined
}

async function findReport(db: Database, clientId: number, condition: ReturnType<typeof sql>) {
  const { rows } = await executePrepared(
    db,
    sql<OsInstallation>`
      select status, message, language_packs as "languagePacks", coalesce(pre_os_results, '[]') as "preOsPackages"
      from boot_grants
      where computer_id = ${clientId} and reported_at is not null and ${isOfOpenInstallation} and ${condition}
      order by reported_at desc limit 1`,
  )
  return rows[0]
}

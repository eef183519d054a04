import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { findBootGrant, isContested, isOfOpenInstallation } from './boot-grants.ts'
import { isActivatedWith } from './find-boot-plan.ts'
import type { BootedWith } from './installation.ts'
import { lockInstallation } from './lock-installation.ts'
import { type OsInstallation, recordOsInstallation } from './record-os-installation.ts'

export type BootReport = OsInstallation & {
  bootedWith: BootedWith
  grantId: string
  /** The address that sent the report. */
  address: string
  /** True if the report must come from the address that asked for the boot script. */
  isBoundToAddress: boolean
  /** True if the reports of computers that have never had an agent wait for one as well. */
  needsAgent: boolean
}

type Circumstances = {
  address: string
  reportedFrom: string | null
  /** Whether another address has asked for a boot script of the computer. */
  isContested: boolean
  hasAgent: boolean
  /** Whether an agent has enrolled since the boot script was handed out. */
  hasEnrolled: boolean
}

/**
 * Records what an installer reports. The token of a boot script proves only that its owner knows a MAC address. The report
 * counts at once if nothing contradicts it and no agent can be expected to confirm it. Otherwise it is stored, and the
 * address that asked for the script boots from its disk; all others still get the installer.
 */
export async function recordBootReport(db: Database, report: BootReport): Promise<void> {
  const { bootedWith, grantId, status, message, languagePacks, preOsPackages } = report
  const { clientId } = bootedWith
  // The computer may have been deleted, too.
  if (!(await findBootGrant(db, grantId))) return
  await lockInstallation(db, clientId)
  const found = await findCircumstances(db, grantId, bootedWith)
  if (!found) return
  const isFromFetcher = !report.isBoundToAddress || report.address === found.address
  // Only the address that asked for the script may correct what another one has reported.
  if (found.reportedFrom !== null && (!isFromFetcher || found.reportedFrom === found.address)) return
  const isPlausible = isFromFetcher && !found.isContested && !found.hasAgent && !report.needsAgent
  const isConfirmed = isFromFetcher && found.hasEnrolled && status === 'Success'
  if (isPlausible || isConfirmed) {
    await recordOsInstallation(db, clientId, report)
    return
  }
  const reportedFrom = isFromFetcher ? found.address : report.address
  await sql`
    update boot_grants set reported_at = now(), reported_from = ${reportedFrom}, status = ${status},
      message = ${message}, language_packs = ${languagePacks}::uuid[], pre_os_results = ${JSON.stringify(preOsPackages)}::jsonb
    where id = ${grantId}`.execute(db)
}

/** Undefined when the installation has ended, or when the computer is to be installed with something else now. */
async function findCircumstances(
  db: Database,
  grantId: string,
  { imageId, skuId }: BootedWith,
): Promise<Circumstances | undefined> {
  const { rows } = await sql<Circumstances>`
    select boot_grants.address, reported_from as "reportedFrom",
      ${isContested} as "isContested",
      agents.computer_id is not null as "hasAgent",
      coalesce(agents.enrolled_at > boot_grants.fetched_at, false) as "hasEnrolled"
    from boot_grants join computers on computers.id = boot_grants.computer_id
      left join agents on agents.computer_id = boot_grants.computer_id
    where boot_grants.id = ${grantId} and ${isOfOpenInstallation}
      and ${isActivatedWith(sql`${imageId}::integer`, sql`${skuId}::integer`)}`.execute(db)
  return rows[0]
}

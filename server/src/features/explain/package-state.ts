import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { computerAsOwner } from '../assignments/effective-assignments.ts'
import { effectivePackagesOf } from '../assignments/effective-packages.ts'
import { packageNotFound } from '../packages/problems.ts'
import { mismatchSentence } from '../work-states/applicability.ts'
import { type CancelReason, formatCancellation } from '../work-states/cancel-reasons.ts'

export async function getExplainedPackage(db: Database, packageId: string) {
  const found = await db
    .selectFrom('packages')
    .select(['id', 'name', 'version', 'kind', 'is_pre_os', 'package_name'])
    .where('id', '=', packageId)
    .executeTakeFirst()
  if (!found) throw packageNotFound({ packageId })
  return found
}

export type SubjectPackage = Awaited<ReturnType<typeof getExplainedPackage>>

/** What agents have reported about the package on the computer. */
export async function findDeployment(db: Database, computerId: number, packageId: string) {
  return db
    .selectFrom('deployments')
    .select(['status', 'installation_state', 'error_text', 'failed_at'])
    .where('computer_id', '=', computerId)
    .where('package_id', '=', packageId)
    .executeTakeFirst()
}

/** Why the package is not for the computer, as a sentence; null if it is. */
export async function findMismatch(db: Database, computerId: number, packageId: string): Promise<string | null> {
  const { rows } = await sql<{ sentence: string | null }>`
    select ${mismatchSentence('packages', 'platform')} as sentence
    from packages, computer_platforms platform
    where packages.id = ${packageId} and platform.computer_id = ${computerId}`.execute(db)
  return rows[0]?.sentence ?? null
}

/** Why the last work item of the package on the computer was cancelled; null if it was not. */
export async function findCancellation(db: Database, computerId: number, packageId: string) {
  const last = await db
    .selectFrom('work')
    .select(['closed_at', 'cancel_subject', sql<CancelReason | null>`cancel_reason`.as('cancel_reason')])
    .where('computer_id', '=', computerId)
    .where('package_id', '=', packageId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last?.cancel_reason || !last.closed_at) return null
  const { closed_at: cancelledUtc, cancel_reason: reason, cancel_subject: subject } = last
  return { cancelledUtc, reason, subject, message: formatCancellation({ reason, subject }) }
}

type OtherVersion = { packageId: string; version: string | null; installed: boolean; assigned: boolean }

/** Other packages of the same software that the computer has or gets. */
export async function listOtherVersions(
  db: Database,
  computerId: number,
  { id }: Pick<SubjectPackage, 'id'>,
): Promise<OtherVersion[]> {
  const { rows } = await sql<OtherVersion>`
    select other.id as "packageId", other.version, coalesce(d.installation_state = 'Installed', false) as installed,
      effective.package_id is not null as assigned
    from packages other
      left join deployments d on d.computer_id = ${computerId} and d.package_id = other.id
      left join (${effectivePackagesOf('computer', computerAsOwner(computerId))}) as effective
        on effective.package_id = other.id
    where other.line_key = (select line_key from packages where id = ${id}) and other.id <> ${id}
      and (d.installation_state = 'Installed' or effective.package_id is not null)
    order by other.version, other.id`.execute(db)
  return rows
}

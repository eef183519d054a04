import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { settingsHash, templateSettings } from '../agents/settings.ts'
import { assignedComputers, assigningGroup } from '../assignments/assigned-computers.ts'
import { unmetRequirement } from '../assignments/required-packages.ts'
import { effectiveOptions } from '../distribution/effective-options.ts'
import { isInstallable } from '../work-states/applicability.ts'
import { isToReturn } from './deployment-status.ts'

type PackageResult = {
  computer_id: number
  is_installed: boolean
  status: 'Success' | 'Failed' | null
  installed_at: Date | null
  error_text: string | null
}

/**
 * What is known about a package on computers; a computer without a row, or without a status, has no result yet, or none that
 * is wanted: a package that was uninstalled and is assigned to be installed again is pending. Packages are deployed by work
 * items. Agent templates are not: an agent follows a template if it reports the hash of its settings.
 */
function packageResults(packageId: string, packageKind: string): RawBuilder<PackageResult> {
  if (packageKind === 'AgentTemplate')
    return sql<PackageResult>`
      select agents.computer_id, true as is_installed, 'Success' as status, null::timestamptz as installed_at, null::text as error_text
      from packages template join agents on agents.settings_hash = ${settingsHash(templateSettings('template'))}
      where template.id = ${packageId}`
  const returns = sql<boolean>`exists (
    select from (${effectiveOptions(sql`
      select group_id, ${packageId}::uuid as package_id
      from (${assigningGroup(packageId, packageKind, sql`deployment.computer_id`)}) as assigning`)}) as options
    where ${isToReturn('deployment', 'options')})`
  return sql<PackageResult>`
    select deployment.computer_id, deployment.installation_state = 'Installed' as is_installed, deployment.installed_at,
      deployment.error_text,
      case when deployment.installation_state = 'Uninstalled' and ${returns} then null else deployment.status end as status
    from deployments deployment where deployment.package_id = ${packageId}`
}

export const packageStatuses = ['Pending', 'Success', 'Failed', 'NotApplicable'] as const

export type PackageStatusOfComputer = {
  computer_id: number
  status: (typeof packageStatuses)[number]
  installed_at: Date | null
  error_text: string | null
}

/** The status of a package on each of the computers to which it is assigned; with `groupId`, on those below the group. */
export function packageStatusOfComputers(
  packageId: string,
  packageKind: string,
  groupId?: string,
): RawBuilder<PackageStatusOfComputer> {
  return statusOf(packageId, packageKind, assignedComputers(packageId, packageKind, groupId))
}

/** The same of one computer; `computerId` refers to the outer query. */
export function packageStatusOfComputer(packageId: string, packageKind: string, computerId: RawBuilder<number>) {
  return statusOf(packageId, packageKind, sql`select ${computerId} as id`)
}

function statusOf(packageId: string, packageKind: string, computers: RawBuilder<{ id: number }>) {
  return sql<PackageStatusOfComputer>`
    select assigned.id as computer_id, result.installed_at, case when result.status = 'Failed' then result.error_text end as error_text,
      case when result.is_installed is not true and not (${isInstallable('packages', 'platform')}
          and ${unmetRequirement(sql`assigned.id`, sql`packages.id`)} is null) then 'NotApplicable'
        when result.status in ('Success', 'Failed') then result.status else 'Pending' end as status
    from (${computers}) as assigned
      join packages on packages.id = ${packageId}
      join computer_platforms platform on platform.computer_id = assigned.id
      left join (${packageResults(packageId, packageKind)}) as result on result.computer_id = assigned.id`
}

export type PackageStatusCounts = Record<'total' | 'pending' | 'success' | 'failed' | 'notApplicable', number>

/** Counts the computers to which the package is assigned by its status there. */
export async function countPackageStatus(
  db: Database,
  packageId: string,
  packageKind: string,
  groupId?: string,
): Promise<PackageStatusCounts> {
  const countOf = (status: PackageStatusOfComputer['status']) =>
    sql<number>`(count(*) filter (where status = ${sql.lit(status)}))::integer`
  const { rows } = await sql<PackageStatusCounts>`
    select count(*)::integer as total, ${countOf('Pending')} as pending, ${countOf('Success')} as success,
      ${countOf('Failed')} as failed, ${countOf('NotApplicable')} as "notApplicable"
    from (${packageStatusOfComputers(packageId, packageKind, groupId)}) as of_computers`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('An aggregate without a group by returns one row.')
  return counts
}

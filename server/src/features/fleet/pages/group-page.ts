import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { type AssignmentKind, effectiveAssignments, groupAsOwner } from '../../assignments/effective-assignments.ts'
import { effectivePackages } from '../../assignments/effective-packages.ts'
import { unmetRequirement } from '../../assignments/required-packages.ts'
import { isToReturn } from '../../deployments/deployment-status.ts'
import type { PackageStatusCounts } from '../../deployments/package-results.ts'
import { effectiveOptions } from '../../distribution/effective-options.ts'
import type { HealthStatus } from '../../issues/computer-health.ts'
import { isApplicable, unmetCondition } from '../../work-states/applicability.ts'
import { groupSummaryRows, isVisibleGroup } from './group-summaries.ts'

const maxSubgroups = 500

export async function findGroupSummary(db: Database, groupId: string) {
  return groupSummaryRows(db).where('groups.id', '=', groupId).where(isVisibleGroup).executeTakeFirst()
}

export function listSubgroups(db: Database, groupId: string) {
  return groupSummaryRows(db)
    .where('groups.parent_id', '=', groupId)
    .where(isVisibleGroup)
    .orderBy(sql`lower(groups.name)`)
    .orderBy('groups.id')
    .limit(maxSubgroups)
    .execute()
}

export type AssignmentType =
  | 'Package'
  | 'SoftwareClass'
  | 'AgentTemplate'
  | 'LanguagePackImport'
  | 'VariableConfiguration'
  | 'OsImageSku'
  | 'PxeBootImage'

export type AssignmentOfGroup = {
  type: AssignmentType
  objectId: string
  name: string
  version: string | null
  originGroupId: string
  originGroupPath: string
  isInherited: boolean
}

type ObjectSource = {
  kind: AssignmentKind
  name: RawBuilder<string>
  version?: RawBuilder<string>
  from: RawBuilder<unknown>
}

const packageSource = (kind: AssignmentKind): ObjectSource => ({
  kind,
  name: sql`packages.name`,
  version: sql`packages.version`,
  from: sql`join packages on packages.id = effective.object_id`,
})

const sources: Record<AssignmentType, ObjectSource> = {
  Package: packageSource('package'),
  SoftwareClass: {
    kind: 'softwareClass',
    name: sql`class.name`,
    from: sql`join software_classes class on class.id = effective.object_id`,
  },
  AgentTemplate: packageSource('agentTemplate'),
  LanguagePackImport: packageSource('languagePack'),
  VariableConfiguration: {
    kind: 'variableConfiguration',
    name: sql`configuration.name`,
    from: sql`join variable_configurations configuration on configuration.id = effective.object_id`,
  },
  OsImageSku: {
    kind: 'osImageSku',
    name: sql`packages.name || ' ' || sku.edition`,
    version: sql`packages.version`,
    from: sql`join os_image_skus sku on sku.id = effective.object_id join packages on packages.id = sku.package_id`,
  },
  PxeBootImage: {
    kind: 'pxeBootImage',
    name: sql`packages.name`,
    version: sql`packages.version`,
    from: sql`join pxe_boot_images image on image.id = effective.object_id join packages on packages.id = image.package_id`,
  },
}

/** What is effective for the group, and the group from which it comes: itself or an ancestor. */
export async function listAssignmentsOfGroup(db: Database, groupId: string): Promise<AssignmentOfGroup[]> {
  const parts = Object.entries(sources).map(
    ([type, { kind, name, version, from }], position) => sql`
      select ${sql.lit(position)} as position, ${sql.lit(type)} as type, effective.object_id::text as "objectId",
        ${name} as name, ${version ?? sql`null::text`} as version, effective.group_id as "originGroupId",
        effective.group_path as "originGroupPath", effective.distance > 0 as "isInherited"
      from (${effectiveAssignments(kind, 'group', groupAsOwner(groupId))}) as effective ${from}`,
  )
  const { rows } = await sql<AssignmentOfGroup>`
    select type, "objectId", name, version, "originGroupId", "originGroupPath", "isInherited"
    from (${sql.join(parts, sql` union all `)}) as listed
    order by position, lower(name), "objectId"`.execute(db)
  return rows
}

type OptionSource = {
  packageId: string | null
  isForPackage: boolean
  sourceGroupId: string
  sourceGroupPath: string
}

/** Which group has the distribution options of the group as a whole, and of each of its packages. */
export async function listOptionSources(
  db: Database,
  groupId: string,
  assignments: readonly AssignmentOfGroup[],
): Promise<OptionSource[]> {
  const packages = assignments.filter(({ type }) => type === 'Package')
  const owners = sql<{ group_id: string; package_id: string | null }>`
    select ${groupId}::uuid as group_id, null::uuid as package_id
    union all
    select * from unnest(
      ${packages.map(({ originGroupId }) => originGroupId)}::uuid[], ${packages.map(({ objectId }) => objectId)}::uuid[])`
  const { rows } = await sql<OptionSource>`
    select options.package_id as "packageId", options.is_for_package as "isForPackage",
      options.source_group_id as "sourceGroupId", source.path as "sourceGroupPath"
    from (${effectiveOptions(owners)}) as options join groups source on source.id = options.source_group_id
    order by options.package_id nulls first`.execute(db)
  return rows
}

const computersBelow = (groupId: string) => sql`
  select distinct member.computer_id
  from group_ancestors below
    join effective_memberships member on member.group_id = below.descendant_id
  where below.ancestor_id = ${groupId}`

/**
 * Parts of a `with` clause. The last of them, `returning_package`, has the packages that were uninstalled on the computers of
 * `inside` and are assigned to be installed there again.
 */
function returningPackageCtes(packageIds: readonly string[]) {
  return sql`
    removed as materialized (
      select deployments.computer_id, package_id, status, installation_state
      from deployments join inside on inside.computer_id = deployments.computer_id
      where package_id = any (${packageIds}::uuid[]) and installation_state = 'Uninstalled'
    ), removed_from as materialized (
      select removed.*, effective.group_id
      from removed join (${effectivePackages(sql`select distinct computer_id as owner_id from removed`)}) as effective
        on effective.computer_id = removed.computer_id and effective.package_id = removed.package_id
    ), returning_package as (
      select computer_id, removed_from.package_id
      from removed_from
        join (${effectiveOptions(sql`select distinct group_id, package_id from removed_from`)}) as options
          on options.group_id = removed_from.group_id and options.package_id = removed_from.package_id
      where ${isToReturn('removed_from', 'options')}
    )`
}

/**
 * The packages that are for the platform of a computer of `inside`, but whose conditions or requirements keep them from it. Packages
 * without either cost nothing.
 */
function excludedPackages(packageIds: readonly string[]): RawBuilder<{ computer_id: number; package_id: string }> {
  const isListed = sql`packages.id = any (${packageIds}::uuid[]) and ${isApplicable('packages', 'inside')}`
  return sql`
    select inside.computer_id, packages.id as package_id from packages cross join inside
    where packages.conditions is not null and ${isListed} and ${unmetCondition('packages', 'inside')} is not null
    union
    select inside.computer_id, packages.id from packages cross join inside
    where ${isListed} and ${unmetRequirement(sql`inside.computer_id`, sql`packages.id`)} is not null`
}

/** The deployments of packages on the computers in the group and below it. All of them have the packages assigned. */
export async function countDeployments(
  db: Database,
  groupId: string,
  packageIds: readonly string[],
): Promise<Map<string, PackageStatusCounts>> {
  if (packageIds.length === 0) return new Map()
  const isFor = sql`(${isApplicable('packages', 'inside')} and excluded.package_id is null)`
  const isInstalled = sql`deployment.installation_state = 'Installed'`
  const { rows } = await sql<PackageStatusCounts & { packageId: string }>`
    with inside as materialized (
      select computer_platforms.* from computer_platforms where computer_id in (${computersBelow(groupId)})
    ), total as (
      select count(*)::integer as total from inside
    ), kind_of_computer as materialized (
      -- Many computers have the same platform.
      select system_names, is_server, system_architecture, processor, pxe_support, count(*)::integer as computers
      from inside group by system_names, is_server, system_architecture, processor, pxe_support
    ), excluded as materialized (${excludedPackages(packageIds)}), ${returningPackageCtes(packageIds)}, counted as (
      select deployment.package_id,
        count(*) filter (where status = 'Success' and again.package_id is null and (${isInstalled} or ${isFor}))::integer as success,
        count(*) filter (where status = 'Failed' and (${isInstalled} or ${isFor}))::integer as failed,
        count(*) filter (where ${isInstalled} and not ${isFor})::integer as installed_anyway
      from deployments deployment
        join inside on inside.computer_id = deployment.computer_id
        join packages on packages.id = deployment.package_id
        left join excluded
          on excluded.computer_id = deployment.computer_id and excluded.package_id = deployment.package_id
        left join returning_package again
          on again.computer_id = deployment.computer_id and again.package_id = deployment.package_id
      where deployment.package_id = any (${packageIds}::uuid[])
      group by deployment.package_id
    ), result as (
      select packages.id, coalesce(success, 0) as success, coalesce(failed, 0) as failed,
        -- What is installed has shown that it is for the computer.
        (select coalesce(sum(computers), 0)::integer from kind_of_computer
          where not ${isApplicable('packages', 'kind_of_computer')})
          + (select count(*)::integer from excluded where excluded.package_id = packages.id)
          - coalesce(installed_anyway, 0) as not_applicable
      from packages left join counted on counted.package_id = packages.id
      where packages.id = any (${packageIds}::uuid[])
    )
    select result.id as "packageId", total, success, failed, not_applicable as "notApplicable",
      total - success - failed - not_applicable as pending
    from result cross join total`.execute(db)
  return new Map(rows.map(({ packageId, ...counts }) => [packageId, counts]))
}

/** The health of the computers in the group and below it, as of the last count of the fleet. */
export async function countHealthOfGroup(db: Database, groupId: string): Promise<Record<HealthStatus, number>> {
  const { rows } = await sql<{ status: HealthStatus; count: number }>`
    select summary.health_status as status, count(*)::integer as count
    from (${computersBelow(groupId)}) as inside
      join computer_summaries summary on summary.computer_id = inside.computer_id
    group by 1`.execute(db)
  const counts = { Healthy: 0, Warning: 0, Unreachable: 0 }
  for (const { status, count } of rows) counts[status] = count
  return counts
}

import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { CountRemovals } from '../../platform/operation.ts'
import { assignToGroup } from '../assignments/assign-to-group.ts'
import { pinPackage, requireEndpoint } from '../assignments/assignable-package.ts'
import { computerNotFound, lockComputer } from '../computers/computers.ts'
import { activate } from '../deployments/activation/activate.ts'
import { groupScope, pinScopeGroups } from '../deployments/activation/activation-scope.ts'
import { isForPackage } from '../deployments/activation/due-work.ts'
import { packageNotApplicable } from '../deployments/problems.ts'
import { findNearestPackage } from '../deployments/request-reinstall.ts'
import type { Creator } from '../deployments/tasks.ts'
import { lockGroupTrees } from '../groups/groups.ts'
import { insertMembers } from '../groups/insert-members.ts'
import { isInstallable } from '../work-states/applicability.ts'

/** The group of all packages that users have asked for. Each package has a group below it. */
const requestedSoftware = 'Requested software'

const maxNameLength = 255

export type Grant = {
  computerId: number
  packageId: string
  createdBy: Creator
  countRemovals: CountRemovals
  /** Throws if the caller may not change groups. */
  requireGroupRights(): void
}

/**
 * Gives a computer a package as an administrator would: unless the package is assigned to it, the computer becomes a member of a
 * group that has the package. It is activated for that group. To take the package back, remove the computer from the group.
 */
export async function grantPackage(
  db: Database,
  { computerId, packageId, createdBy, countRemovals, requireGroupRights }: Grant,
): Promise<{ trackingId: string | null }> {
  await lockGroupTrees(db)
  requireEndpoint(await pinPackage(db, packageId), 'packages')
  const assigned = await findNearestPackage(db, computerId, sql`packages.id = ${packageId}`)
  if (!assigned) requireGroupRights()
  const groupId = assigned?.group_id ?? (await joinGroupOfPackage(db, computerId, packageId))
  await requireApplicable(db, computerId, packageId)
  const scope = groupScope(groupId, false, [computerId])
  await pinScopeGroups(db, scope)
  await lockComputer(db, computerId)
  const { trackingId } = await activate(db, {
    scope,
    ...{ software: true, pxe: false, pull: false, wakeAt: null, srl: null },
    task: { kind: 'Activation', computerId, groupId, packageId, createdBy },
    // Others of its packages wait for their own activation.
    only: isForPackage(packageId),
    limit: { countRemovals },
  })
  return { trackingId }
}

async function joinGroupOfPackage(db: Database, computerId: number, packageId: string): Promise<string> {
  const group = await ensureGroupOfPackage(db, packageId)
  const members = await insertMembers(db, group, [computerId])
  if (members.size === 0) throw computerNotFound({ clientId: computerId })
  return group.id
}

type PackageGroup = { id: string; is_exclusive: boolean }

/** The caller has locked the group trees and pinned the package. */
async function ensureGroupOfPackage(db: Database, packageId: string): Promise<PackageGroup> {
  const parentId = await ensureParent(db)
  const { rows } = await sql<PackageGroup>`
    select groups.id, groups.is_exclusive
    from groups join group_packages assigned on assigned.group_id = groups.id
    where groups.parent_id = ${parentId} and groups.kind = 'Ordinary' and assigned.package_id = ${packageId}
    order by groups.created_at, groups.id limit 1`.execute(db)
  if (rows[0]) return rows[0]
  const group = await insertGroup(db, parentId, packageId)
  await assignToGroup(db, 'package', group.id, packageId)
  return group
}

async function ensureParent(db: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with root as (
      select id, tree from groups where tree = 'AssignmentGroups' and parent_id is null
    ), existing as (
      select groups.id from groups join root on groups.parent_id = root.id where lower(groups.name) = lower(${requestedSoftware})
    ), inserted as (
      insert into groups (tree, parent_id, name, description)
      select tree, id, ${requestedSoftware}, 'Packages that users have asked for, and administrators have approved' from root
      where not exists (select from existing)
      returning id
    )
    select id from existing union all select id from inserted`.execute(db)
  const [parent] = rows
  if (!parent) throw new Error('The tree of assignment groups has a root.')
  return parent.id
}

/** A name that another group has, or that cannot be the name of a group, is replaced by one with the id of the package. */
async function insertGroup(db: Database, parentId: string, packageId: string): Promise<PackageGroup> {
  const { rows } = await sql<PackageGroup>`
    insert into groups (tree, parent_id, name)
    select 'AssignmentGroups', ${parentId}, case when named.name ~ '\\S' and not exists (
        select from groups where parent_id = ${parentId} and lower(groups.name) = lower(named.name))
      then named.name else packages.id::text end
    from packages cross join lateral (
      select left(trim(regexp_replace(concat_ws(' ', packages.name, packages.version), '[/\\\\]', '-', 'g')), ${sql.lit(maxNameLength)}) as name
    ) as named
    where packages.id = ${packageId}
    returning id, is_exclusive`.execute(db)
  const [group] = rows
  if (!group) throw new Error('The caller has pinned the package.')
  return group
}

async function requireApplicable(db: Database, computerId: number, packageId: string): Promise<void> {
  const { rows } = await sql`
    select from packages, computer_platforms platform
    where packages.id = ${packageId} and platform.computer_id = ${computerId} and ${isInstallable('packages', 'platform')}`.execute(
    db,
  )
  if (rows.length === 0) throw packageNotApplicable({ clientId: computerId, packageId })
}

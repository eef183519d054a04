import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { assignToGroup } from './assign-to-group.ts'

/** The group of all packages that single computers get. Each package has a group below it. */
const requestedSoftware = 'Requested software'

const maxNameLength = 255

export type GroupOfPackage = { id: string; is_exclusive: boolean }

/**
 * The assignment group below `Requested software` that has the package, for computers that get it on their own: because their
 * users have asked for it, or because somebody has selected them. The caller has locked the group trees and pinned the package.
 */
export async function ensureGroupOfPackage(db: Database, packageId: string): Promise<GroupOfPackage> {
  const parentId = await ensureParent(db)
  const { rows } = await sql<GroupOfPackage>`
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
      select tree, id, ${requestedSoftware}, 'Packages for single computers: what users have asked for, and what was installed on a selection'
      from root where not exists (select from existing)
      returning id
    )
    select id from existing union all select id from inserted`.execute(db)
  const [parent] = rows
  if (!parent) throw new Error('The tree of assignment groups has a root.')
  return parent.id
}

/** A name that another group has, or that cannot be the name of a group, is replaced by one with the id of the package. */
async function insertGroup(db: Database, parentId: string, packageId: string): Promise<GroupOfPackage> {
  const { rows } = await sql<GroupOfPackage>`
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

import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockGroupTrees } from '../groups/groups.ts'
import { missingPatches } from '../patches/missing-patches.ts'
import {
  cancelUnneededFixWork,
  listComputersWithWaitingFix,
  selectComputers,
  selectFixPackages,
  updateFixWork,
} from './remediate.ts'

export type Emergency = { groupId: string; groupName: string; startedUtc: Date }

export const emergencyStatuses = ['Started', 'NothingMissing', 'NotScanned', 'NoFixPackage', 'NotFound'] as const

export type EmergencyStatus = (typeof emergencyStatuses)[number]

/** The emergency patching of a PM group, if it has one. */
export async function findEmergency(db: Database, pmGroupId: number): Promise<Emergency | undefined> {
  return db
    .selectFrom('emergencies')
    .innerJoin('groups', 'groups.id', 'emergencies.group_id')
    .select(['groups.id as groupId', 'groups.name as groupName', 'emergencies.started_at as startedUtc'])
    .where('emergencies.pm_group_id', '=', pmGroupId)
    .executeTakeFirst()
}

/** Puts the computers into the emergency of a PM group that the caller holds, and makes their fix packages due at once. */
export async function startEmergency(
  db: Database,
  pmGroup: { id: number; name: string },
  computerIds: readonly number[],
): Promise<Emergency> {
  const emergency = (await findEmergency(db, pmGroup.id)) ?? (await insertEmergency(db, pmGroup))
  await sql`
    with known as (
      select id from computers where id = any(${computerIds}::integer[]) order by id for key share
    )
    insert into group_computers (group_id, computer_id, is_exclusive)
    select ${emergency.groupId}, id, false from known order by id
    on conflict do nothing`.execute(db)
  // The group is activated for its patches. What else was assigned to the computers meanwhile waits for its own activation.
  await sql`
    insert into activations (computer_id, group_id, software)
    select computer_id, group_id, true from group_computers
    where group_id = ${emergency.groupId} and computer_id = any(${computerIds}::integer[]) order by computer_id
    on conflict on constraint activations_computer_id_group_id_key do update set software = true
    where not activations.software`.execute(db)
  await updateFixWork(db, selectComputers(computerIds), 'Emergency')
  return emergency
}

async function insertEmergency(db: Database, pmGroup: { id: number; name: string }): Promise<Emergency> {
  // Its id is in its name, so that it never has that of another group.
  const { rows } = await sql<Emergency>`
    with fresh as materialized (
      select new_uuid() as id
    ), made as (
      insert into groups (id, tree, parent_id, name, description)
      select fresh.id, root.tree, root.id, 'Emergency patching ' || fresh.id, 'Emergency patching of ' || ${pmGroup.name}
      from fresh, groups root where root.tree = 'AssignmentGroups' and root.parent_id is null
      returning id, name
    ), assigned as (
      insert into pm_group_assignments (pm_group_id, group_id, is_emergency)
      select ${pmGroup.id}::integer, id, true from made
    )
    insert into emergencies (pm_group_id, group_id)
    select ${pmGroup.id}::integer, id from made
    returning group_id as "groupId", (select name from made) as "groupName", started_at as "startedUtc"`.execute(db)
  const [made] = rows
  if (!made) throw new Error('The tree of assignment groups has no root.')
  return made
}

/** Removes the emergency of a PM group that the caller holds, with its group. Says whether there was one. */
export async function stopEmergency(db: Database, pmGroupId: number): Promise<boolean> {
  await lockGroupTrees(db)
  const awaiting = await listComputersWithWaitingFix(db, pmGroupId)
  const { numDeletedRows } = await db
    .deleteFrom('groups')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('group_ancestors')
        .innerJoin('emergencies', 'emergencies.group_id', 'group_ancestors.ancestor_id')
        .where('emergencies.pm_group_id', '=', pmGroupId)
        .select('group_ancestors.descendant_id'),
    )
    .executeTakeFirst()
  await cancelUnneededFixWork(db, selectComputers(awaiting))
  return numDeletedRows > 0n
}

/** How the emergency stands on each of the computers; of the patches, only those of the PM group count. */
export function emergencyRows(db: Database, pmGroupId: number) {
  const missing = sql<number>`(
    select count(*)::integer from (${missingPatches}) as missing
      join pm_group_patches listed on listed.patch_id = missing.patch_id and listed.product_id = missing.product_id
    where missing.computer_id = computers.id and listed.pm_group_id = ${pmGroupId}::integer)`
  const hasFix = sql<boolean>`exists (select from (${selectFixPackages(sql`select computers.id as owner_id`)}) as fix)`
  return db
    .selectFrom('computers')
    .leftJoin('patch_scans', 'patch_scans.computer_id', 'computers.id')
    .select([
      'computers.id as clientId',
      'computers.name as hostname',
      'computers.domain',
      missing.as('missingPatches'),
      sql<EmergencyStatus>`case
        when not ${hasFix} then 'NoFixPackage'
        when patch_scans.computer_id is null then 'NotScanned'
        when ${missing} = 0 then 'NothingMissing'
        else 'Started' end`.as('status'),
    ])
}

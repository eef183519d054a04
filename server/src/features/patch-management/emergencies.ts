import { sql } from 'kysely'
import { analyzeGrownTables } from '../../database/after-bulk-write.ts'
import type { Database } from '../../database/connect.ts'
import { lockGroupTrees } from '../groups/groups.ts'
import { isScanOfPreviousSystem, missingPatches } from '../patches/missing-patches.ts'
import { withdrawUnjustifiedWork } from '../work-states/withdraw-work.ts'
import {
  cancelUnneededFixWork,
  insertOrCancelFixWork,
  listComputersWithWaitingFix,
  selectComputers,
  selectFixPackages,
} from './remediate.ts'

export type Emergency = { groupId: string; groupName: string; startedUtc: Date }

export const emergencyStatuses = ['Started', 'NothingMissing', 'NotScanned', 'NoFixPackage', 'NotFound'] as const

export type EmergencyStatus = (typeof emergencyStatuses)[number]

export async function findEmergency(db: Database, pmGroupId: number): Promise<Emergency | undefined> {
  return db
    .selectFrom('emergencies')
    .innerJoin('groups', 'groups.id', 'emergencies.group_id')
    .select(['groups.id as groupId', 'groups.name as groupName', 'emergencies.started_at as startedUtc'])
    .where('emergencies.pm_group_id', '=', pmGroupId)
    .executeTakeFirst()
}

/** The tables that an emergency of many computers fills. */
const tablesOfEmergency = ['group_computers', 'activations', 'work', 'deployments', 'distribution_events'] as const

/**
 * Adds computers to the emergency of a PM group and inserts work for their fix packages without a schedule. Starts the
 * emergency if there is none. The caller has locked the PM group.
 */
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
  // Activates the emergency group only. Other assignments of the computers still wait for their own activation.
  await sql`
    insert into activations (computer_id, group_id, software)
    select computer_id, group_id, true from group_computers
    where group_id = ${emergency.groupId} and computer_id = any(${computerIds}::integer[]) order by computer_id
    on conflict on constraint activations_computer_id_group_id_key do update set software = true
    where not activations.software`.execute(db)
  await insertOrCancelFixWork(db, selectComputers(computerIds), 'Emergency')
  await analyzeGrownTables(db, tablesOfEmergency)
  return emergency
}

async function insertEmergency(db: Database, pmGroup: { id: number; name: string }): Promise<Emergency> {
  // The id in the name makes the name unique.
  const { rows } = await sql<Emergency>`
    with new_id as materialized (
      select new_uuid() as id
    ), emergency_group as (
      insert into groups (id, tree, parent_id, name, description)
      select new_id.id, root.tree, root.id, 'Emergency patching ' || new_id.id, 'Emergency patching of ' || ${pmGroup.name}
      from new_id, groups root where root.tree = 'AssignmentGroups' and root.parent_id is null
      returning id, name
    ), assigned as (
      insert into pm_group_assignments (pm_group_id, group_id, is_emergency)
      select ${pmGroup.id}::integer, id, true from emergency_group
    )
    insert into emergencies (pm_group_id, group_id)
    select ${pmGroup.id}::integer, id from emergency_group
    returning group_id as "groupId", (select name from emergency_group) as "groupName", started_at as "startedUtc"`.execute(
    db,
  )
  const [emergency] = rows
  if (!emergency) throw new Error('The tree of assignment groups has no root.')
  return emergency
}

/**
 * Deletes the emergency of a PM group with its assignment group, and cancels fix work that is no longer needed. Returns
 * whether there was an emergency. The caller has locked the PM group.
 */
export async function stopEmergency(db: Database, pmGroupId: number): Promise<boolean> {
  await lockGroupTrees(db)
  const waiting = await listComputersWithWaitingFix(db, pmGroupId)
  const members = await listEmergencyMembers(db, pmGroupId)
  const { numDeletedRows } = await db
    .deleteFrom('groups')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('group_ancestors')
        .innerJoin('emergencies', 'emergencies.group_id', 'group_ancestors.ancestor_id')
        .where('emergencies.pm_group_id', '=', pmGroupId)
        .select('group_ancestors.descendant_id'),
    )
    .executeTakeFirst()
  const computers = sql<{ computer_id: number }>`select unnest(${members}::integer[]) as computer_id`
  await withdrawUnjustifiedWork(db, { computers }, { reason: 'GroupDeleted' })
  await cancelUnneededFixWork(db, selectComputers(waiting))
  return numDeletedRows > 0n
}

async function listEmergencyMembers(db: Database, pmGroupId: number): Promise<number[]> {
  const members = await db
    .selectFrom('emergencies')
    .innerJoin('group_computers', 'group_computers.group_id', 'emergencies.group_id')
    .select('group_computers.computer_id')
    .where('emergencies.pm_group_id', '=', pmGroupId)
    .execute()
  return members.map(({ computer_id }) => computer_id)
}

/**
 * Computers with their status in the emergency of a PM group. Only patches of the PM group count as missing, and only what a
 * scan of the present operating system found.
 */
export function emergencyRows(db: Database, pmGroupId: number) {
  const isOfPreviousSystem = isScanOfPreviousSystem('patch_scans', 'computers')
  const missing = sql<number>`(
    select count(*)::integer from (${missingPatches}) as missing
      join pm_group_patches listed on listed.patch_id = missing.patch_id and listed.product_id = missing.product_id
    where missing.computer_id = computers.id and listed.pm_group_id = ${pmGroupId}::integer and not ${isOfPreviousSystem})`
  const hasFix = sql<boolean>`exists (select from (${selectFixPackages(sql<{ owner_id: number }>`select computers.id as owner_id`)}) as fix)`
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
        when patch_scans.computer_id is null or ${isOfPreviousSystem} then 'NotScanned'
        when ${missing} = 0 then 'NothingMissing'
        else 'Started' end`.as('status'),
    ])
}

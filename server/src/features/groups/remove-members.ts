import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { deleteNeedlessWakeUps, withdrawUnjustifiedWork } from '../work-states/withdraw-work.ts'
import type { MemberAuthor } from './insert-members.ts'

/**
 * Removes computers from a group that the caller has pinned. Returns those that were members. Rules do not remove members
 * that people have added, nor add those that people have removed. Locks the computers, which the caller of a rule has locked
 * already, and then the memberships, in the order of the computers. What the computers were activated for ends with the
 * membership, and so does the work that nothing else justifies.
 */
export async function removeMembers(
  db: Database,
  group: { id: string; name: string },
  clientIds: number[],
  author: MemberAuthor = 'Person',
): Promise<Set<number>> {
  const isByRule = author === 'Rule'
  const groupId = group.id
  if (!isByRule) await pinComputers(db, clientIds)
  await lockMemberships(db, groupId, clientIds)
  const { rows } = await sql<{ computer_id: number }>`
    with member as materialized (
      select computer_id from group_computers
      where group_id = ${groupId} and computer_id = any(${clientIds}::integer[]) and (is_by_rule or not ${isByRule}::boolean)
      order by computer_id for update
    ), excluded as (
      insert into group_rule_exclusions (group_id, computer_id)
      select ${groupId}::uuid, computer_id from member
      where not ${isByRule}::boolean and exists (select from group_rules where group_rules.group_id = ${groupId})
      on conflict do nothing
    )
    delete from group_computers using member
    where group_id = ${groupId} and group_computers.computer_id = member.computer_id
    returning group_computers.computer_id`.execute(db)
  const removedIds = rows.map(({ computer_id }) => computer_id)
  if (removedIds.length > 0) {
    const computers = sql<{ computer_id: number }>`select unnest(${removedIds}::integer[]) as computer_id`
    await withdrawUnjustifiedWork(db, { computers }, { reason: 'LeftGroup', subject: group.name })
    await deleteNeedlessWakeUps(db, { computers })
  }
  return new Set(removedIds)
}

/**
 * Locks what the removal deletes in the lock order: a cascade follows no order of rows. Activations through other groups may
 * end, too.
 */
async function lockMemberships(db: Database, groupId: string, computerIds: readonly number[]): Promise<void> {
  await sql`
    select from group_computers where group_id = ${groupId} and computer_id = any(${computerIds}::integer[])
    order by computer_id for update`.execute(db)
  await sql`
    select from activations where computer_id = any(${computerIds}::integer[])
    order by computer_id, group_id for update`.execute(db)
}

/** Keeps the computers from being deleted, before any of their memberships is locked. */
export async function pinComputers(db: Database, computerIds: readonly number[]): Promise<void> {
  await sql`
    select from computers where id = any(${computerIds}::integer[]) order by id for key share`.execute(db)
}

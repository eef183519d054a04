import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type MembershipStatus, membersAmong } from './membership.ts'

/** Who changes members: a person or program, or the rule of the group. */
export type MemberAuthor = 'Person' | 'Rule'

/** Makes computers members of a group that the caller has pinned. Returns what became of each that exists. */
export async function insertMembers(
  db: Database,
  group: { id: string; is_exclusive: boolean },
  clientIds: number[],
  author: MemberAuthor = 'Person',
): Promise<Map<number, MembershipStatus>> {
  const isByRule = author === 'Rule'
  // The key share lock keeps the computers from being deleted before the insert; taking it in the order of ids avoids
  // deadlocks between such requests. Unique indexes decide which computers may become members, even under concurrency.
  const { rows } = await sql<{ id: number; was_added: boolean }>`
    with existing as (
      select id from computers where id = any(${clientIds}::integer[]) order by id for key share
    ), added as (
      insert into group_computers (group_id, computer_id, is_exclusive, is_by_rule)
      select ${group.id}, id, ${group.is_exclusive}, ${isByRule}::boolean from existing
      where ${isByRule ? isNotExcluded(group.id) : sql`true`} order by id
      on conflict do nothing
      returning computer_id
    )
    select existing.id, existing.id in (select computer_id from added) as was_added from existing`.execute(db)
  const notAdded = rows.filter(({ was_added }) => !was_added).map(({ id }) => id)
  if (!isByRule) await keepFromRule(db, group.id, notAdded)
  const members = group.is_exclusive ? await membersAmong(db, group.id, notAdded) : new Set(notAdded)
  const reason = (id: number) => (members.has(id) ? 'AlreadyMember' : 'AlreadyInConfigurationGroup')
  return new Map(rows.map(({ id, was_added }) => [id, was_added ? 'Added' : reason(id)]))
}

/** A person may have removed the computer since the rule was evaluated. */
const isNotExcluded = (groupId: string): RawBuilder<boolean> => sql`not exists (
  select from group_rule_exclusions excluded where excluded.group_id = ${groupId} and excluded.computer_id = existing.id)`

/** Members that a person has added stay, whether or not the rule has added them before. */
async function keepFromRule(db: Database, groupId: string, clientIds: number[]): Promise<void> {
  if (clientIds.length === 0) return
  await sql`
    with member as materialized (
      select computer_id from group_computers
      where group_id = ${groupId} and computer_id = any(${clientIds}::integer[]) and is_by_rule
      order by computer_id for update
    )
    update group_computers set is_by_rule = false from member
    where group_id = ${groupId} and group_computers.computer_id = member.computer_id`.execute(db)
}

import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type MembershipStatus, membersAmong } from './membership.ts'

/** Makes computers members of a group that the caller has pinned. Returns what became of each that exists. */
export async function insertMembers(
  db: Database,
  group: { id: string; is_exclusive: boolean },
  clientIds: number[],
): Promise<Map<number, MembershipStatus>> {
  // The key share lock keeps the computers from being deleted before the insert; taking it in the order of ids avoids
  // deadlocks between such requests. Unique indexes decide which computers may become members, even under concurrency.
  const { rows } = await sql<{ id: number; was_added: boolean }>`
    with existing as (
      select id from computers where id = any(${clientIds}::integer[]) order by id for key share
    ), added as (
      insert into group_computers (group_id, computer_id, is_exclusive)
      select ${group.id}, id, ${group.is_exclusive} from existing order by id
      on conflict do nothing
      returning computer_id
    )
    select existing.id, added.computer_id is not null as was_added
    from existing left join added on added.computer_id = existing.id`.execute(db)
  const notAdded = rows.filter(({ was_added }) => !was_added).map(({ id }) => id)
  const members = group.is_exclusive ? await membersAmong(db, group.id, notAdded) : new Set(notAdded)
  const reason = (id: number) => (members.has(id) ? 'AlreadyMember' : 'AlreadyInConfigurationGroup')
  return new Map(rows.map(({ id, was_added }) => [id, was_added ? 'Added' : reason(id)]))
}

import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { pinScopeGroups } from '../deployments/activation/activation-scope.ts'

/**
 * Locks the groups, and pins the groups and computers on which a change of their assignments depends. All of them at once: what is
 * locked group by group would be in no order.
 */
export async function lockGroupsOfUpgrade(db: Database, groupIds: readonly string[]): Promise<void> {
  const memberships = sql<{ computer_id: number; group_id: string }>`
    select member.computer_id, member.group_id
    from group_ancestors below join effective_memberships member on member.group_id = below.descendant_id
    where below.ancestor_id = any(${groupIds}::uuid[])`
  const computers = sql<{ owner_id: number }>`select distinct computer_id as owner_id from (${memberships}) as members`
  await pinScopeGroups(db, { computers, memberships, isGlobal: false, groupId: null })
  await sql`
    select count(*) from (
      select id from groups where id = any(${groupIds}::uuid[]) order by id for update
    ) as locked`.execute(db)
  await sql`
    select count(*) from (
      select id from computers where id in (${computers}) order by id for key share
    ) as pinned`.execute(db)
}

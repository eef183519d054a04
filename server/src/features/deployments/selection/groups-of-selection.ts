import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { computersBelow } from '../../groups/affected-computers.ts'

export type GroupOfSelection = {
  groupId: string
  groupPath: string
  /** The selected computers that have the package through the group. */
  selected: number
}

/** Names the groups of computers, each with their number, by path. */
export async function listGroupsOfSelection(
  db: Database,
  targets: readonly { group_id: string | null }[],
): Promise<GroupOfSelection[]> {
  const groupIds = targets.flatMap(({ group_id }) => group_id ?? [])
  const { rows } = await sql<GroupOfSelection>`
    select groups.id as "groupId", groups.path as "groupPath", selected.count as selected
    from groups
      join (select id, count(*)::integer as count from unnest(${groupIds}::uuid[]) as target (id) group by id) as selected
        on selected.id = groups.id
    order by groups.path collate "C", groups.id`.execute(db)
  return rows
}

/** Counts the computers in each of the groups and in the groups below it. */
export async function countComputersBelow(db: Database, groupIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select wanted.id, (
      select count(distinct computer_id)::integer
      from (${computersBelow(sql`select wanted.id as group_id`)}) as member) as count
    from unnest(${groupIds}::uuid[]) as wanted (id)`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** How many changes one statement looks at. */
const maxMarks = 10_000

/**
 * Finds out which members have to be compared after changes: all of a group, or single computers. Returns whether there may be
 * more changes. The caller has the lock of convergence.
 */
export async function takeMarks(db: Database): Promise<boolean> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from convergence_marks where id in (select id from convergence_marks order by id limit ${maxMarks})
      returning group_id, computer_id
    ), marked as (
      update group_convergence set marked_at = coalesce(marked_at, now())
      where group_id in (
        select converged.owner_id
        from taken
          join group_ancestors below on below.ancestor_id = taken.group_id
          join converged_groups converged on converged.group_id = below.descendant_id)
    ), listed as (
      insert into convergence_computers (group_id, computer_id)
      select distinct converged.owner_id, member.computer_id
      from taken
        join effective_memberships member on member.computer_id = taken.computer_id
        join converged_groups converged on converged.group_id = member.group_id
      order by 2, 1
      on conflict on constraint convergence_computers_pkey do nothing
    )
    select count(*)::integer as taken from taken`.execute(db)
  return (rows[0]?.taken ?? 0) === maxMarks
}

import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'

/** Creates groups below a group, level by level, each with the number of children, until the count is reached. */
export async function createSubtree(
  db: Database,
  top: { id: string; tree: string },
  { count, childrenPerGroup }: { count: number; childrenPerGroup: number },
): Promise<void> {
  await sql`
    do $$
    declare
      ids uuid[] := array[${sql.lit(top.id)}]::uuid[];
      created uuid;
    begin
      for n in 1..${sql.lit(count)} loop
        insert into groups (tree, parent_id, name)
        values (${sql.lit(top.tree)}, ids[(n - 1) / ${sql.lit(childrenPerGroup)} + 1], 'group ' || n)
        returning id into created;
        ids := ids || created;
      end loop;
    end $$`.execute(db)
}

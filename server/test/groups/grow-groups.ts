import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'

/** Makes many groups below one, level by level, each with so many children until the count is reached. */
export async function growGroups(
  db: Database,
  top: { id: string; tree: string },
  { count, childrenOfEach }: { count: number; childrenOfEach: number },
): Promise<void> {
  await sql`
    do $$
    declare
      ids uuid[] := array[${sql.lit(top.id)}]::uuid[];
      grown uuid;
    begin
      for n in 1..${sql.lit(count)} loop
        insert into groups (tree, parent_id, name)
        values (${sql.lit(top.tree)}, ids[(n - 1) / ${sql.lit(childrenOfEach)} + 1], 'group ' || n)
        returning id into grown;
        ids := ids || grown;
      end loop;
    end $$`.execute(db)
}

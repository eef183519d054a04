import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { unjustifiedWork } from '../../src/features/work-states/justified-work.ts'

/**
 * Fails if work is open that nothing justifies any more. Work that tests insert themselves, without a request of a principal,
 * is left out.
 */
export async function expectJustifiedWork(db: Database): Promise<void> {
  const requested = await db
    .selectFrom('work')
    .innerJoin('tasks', 'tasks.id', 'work.task_id')
    .select('work.id')
    .where('tasks.created_by', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  // Planning the statement below takes as long as some tests, and most of them leave no such work.
  if (!requested) return
  const everywhere = sql<{ computer_id: number }>`select id as computer_id from computers`
  const { rows } = await sql`
    select work.id, work.computer_id, work.package_id, work.kind, work.state, tasks.kind as task
    from (${unjustifiedWork({ computers: everywhere })}) as unjustified
      join work on work.id = unjustified.id join tasks on tasks.id = work.task_id
    where tasks.created_by is not null`.execute(db)
  expect(rows, 'open work that nothing justifies').toEqual([])
}

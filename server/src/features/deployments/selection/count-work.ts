import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** Counts the computers of a task; null: there was nothing to do. */
export async function countWorkOf(db: Database, taskId: string | null): Promise<number> {
  if (taskId === null) return 0
  const { rows } = await sql<{ count: number }>`
    select count(distinct computer_id)::integer as count from work where task_id = ${taskId}`.execute(db)
  return rows[0]?.count ?? 0
}

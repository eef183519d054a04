import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { QuotaExceeded } from '../../platform/pipeline/quota-exceeded.ts'
import type { Rollout } from './rollout-record.ts'

/**
 * A wave that removes software from more computers than its group allows goes on only if a second principal approves it. The
 * request to resume it is what waits for the approval, like any other that exceeds a limit.
 */
export async function requireApprovedRemovals(
  db: Database,
  { id, pause }: Rollout,
  isApproved: boolean,
): Promise<void> {
  if (pause?.code !== 'Removals' || isApproved) return
  const { rows } = await sql<{ lines: string[] }>`
    select coalesce(approved_content, '{}') as lines from rollouts where id = ${id}`.execute(db)
  const exceeded = new QuotaExceeded(pause.computers, pause.limit, 0)
  exceeded.content = rows[0]?.lines ?? []
  throw exceeded
}

import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { QuotaExceeded } from '../../platform/pipeline/quota-exceeded.ts'
import { describeRemovals } from './pause.ts'
import type { Rollout } from './rollout-record.ts'

/**
 * A wave that removes software from more computers than a limit allows goes on only if a second principal approves it. The
 * request to resume it is what waits for the approval, like any other that exceeds a limit.
 */
export async function requireApprovedRemovals(
  db: Database,
  { id, pause }: Rollout,
  isApproved: boolean,
): Promise<void> {
  if (pause?.code !== 'Removals' || isApproved) return
  const { rows } = await contentOfWave(id).execute(db)
  const text = `The wave ${describeRemovals(pause)}.`
  const exceeded = new QuotaExceeded(pause.computers, { quota: pause.limit, used: null, text })
  exceeded.content = rows.map(({ line }) => line)
  throw exceeded
}

/** What a wave brings, as lines that people can read. */
export function contentOfWave(id: string): RawBuilder<{ line: string }> {
  return sql`select unnest(approved_content) as line from rollouts where id = ${id} and is_wave`
}

/** The computers from which a wave removes software. */
export function removalsOfWave(id: string): RawBuilder<{ computer_id: number }> {
  return sql`select unnest(removal_computer_ids) as computer_id from rollouts where id = ${id} and is_wave`
}

import { type RawBuilder, sql } from 'kysely'
import type { ClosedWorkState } from './work-states.ts'

/** Agent: by reporting the result. Service: without such a report. */
export type ClosedBy = 'Agent' | 'Service'

/**
 * Builds the only statement that closes work items. `target` names them: `where …` or `from … where …`.
 *
 * On a closed item, `run_id` means that the agent has not reported its result yet. A report clears it, so the service
 * ignores a repeated report. If the service closes the item, `run_id` stays: the agent may be working on it. The agent
 * then learns of a cancellation when it reports progress, and its result is still recorded as a fact about the computer.
 */
export function closeWork(
  state: ClosedWorkState,
  closedBy: ClosedBy,
  target: RawBuilder<unknown>,
  otherColumns: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const clearedRun = closedBy === 'Agent' ? sql`, run_id = null` : sql``
  return sql`
    update work set state = ${sql.lit(state)}, closed_at = now(), leased_until = null${clearedRun}${otherColumns}
    ${target}`
}

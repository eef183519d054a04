import { type RawBuilder, sql } from 'kysely'
import type { WorkKind } from '../work-states/work-states.ts'

export type DistributionEvents = {
  /** The rest of the statement after `from`: one row with `computer_id` and `package_id` for each event, in their order. */
  from: RawBuilder<unknown>
  result: 'Pending' | 'Running' | 'Success' | 'Failed' | 'Cancelled'
  classification: 'Activation' | 'Request' | 'Report' | 'Cancellation' | 'Dependency'
  /** The kind of the work item, or the column that has it; null for an event without work. */
  installMode: WorkKind | RawBuilder<WorkKind> | null
  /** The command line that the agent ran. */
  info?: string | null
}

/**
 * Builds the only statement that writes the history of deployments. It stands alone or as a part of a `with` clause.
 */
export function insertDistributionEvents(events: DistributionEvents): RawBuilder<unknown> {
  const { from, result, classification, installMode, info = null } = events
  const mode = typeof installMode === 'object' && installMode !== null ? installMode : sql.lit(installMode)
  return sql`
    insert into distribution_events (computer_id, package_id, result, classification, install_mode, info)
    select computer_id, package_id, ${sql.lit(result)}, ${sql.lit(classification)}, ${mode}, ${info}::text
    from ${from}`
}

/** The source of a single event. */
export function eventSource(computerId: number, packageId: string): RawBuilder<unknown> {
  return sql`(select ${computerId}::integer as computer_id, ${packageId}::uuid as package_id) as subject`
}

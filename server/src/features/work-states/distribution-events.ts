import { type RawBuilder, sql } from 'kysely'
import type { WorkKind } from './work-states.ts'

type EventResult = 'Pending' | 'Running' | 'Success' | 'Failed' | 'Cancelled'

export type DistributionEvents = {
  /** The rest of the statement after `from`: one row with `computer_id` and `package_id` for each event, in their order. */
  from: RawBuilder<unknown>
  result: EventResult | RawBuilder<EventResult>
  classification: 'Activation' | 'Request' | 'Report' | 'Cancellation' | 'Dependency'
  /** The kind of the work item, or the column that has it; null for an event without work. */
  installMode: WorkKind | RawBuilder<WorkKind> | null
  /** The command line that the agent ran or the reason of a cancellation, or the column that has it. */
  info?: string | null | RawBuilder<string | null>
  /** The column that has the number of the patch that the event is about. */
  kbNumber?: RawBuilder<string>
}

/**
 * Builds the only statement that writes the history of deployments. It stands alone or as a part of a `with` clause.
 */
export function insertDistributionEvents(events: DistributionEvents): RawBuilder<unknown> {
  const { from, result, classification, installMode, info = null, kbNumber = sql.lit(null) } = events
  return sql`
    insert into distribution_events (computer_id, package_id, result, classification, install_mode, info, kb_number)
    select computer_id, package_id, ${toColumn(result)}, ${sql.lit(classification)}, ${toColumn(installMode)}, ${info}::text,
      ${kbNumber}
    from ${from}`
}

const toColumn = (value: string | RawBuilder<string> | null) =>
  typeof value === 'object' && value !== null ? value : sql.lit(value)

/** The source of a single event. */
export function eventSource(computerId: number, packageId: string): RawBuilder<unknown> {
  return sql`(select ${computerId}::integer as computer_id, ${packageId}::uuid as package_id) as subject`
}

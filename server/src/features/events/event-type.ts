import type { Role } from '../../platform/roles.ts'
import type { TSchema } from '../../platform/schema.ts'
import type { EventSource } from './event-source.ts'

/**
 * One type of event. The JSON Schemas, the AsyncAPI document, the filter by types and the check of roles are derived from
 * this declaration, and the triggers of the database that write the events.
 */
export type EventType<N extends string = string> = {
  /** For example `muster.computer.enrolled`. */
  type: N
  summary: string
  /** Only principals with this role see events of the type. */
  role: Role
  /** What the path in `subject` leads to. */
  subject: string
  /** The schema of `data`. It never contains secrets. */
  data: TSchema
  /** The changes that leave events of the type. */
  sources: readonly EventSource[]
}

export const eventType = <const N extends string>(declaration: EventType<N>) => declaration

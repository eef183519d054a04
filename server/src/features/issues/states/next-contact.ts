import { type RawBuilder, sql } from 'kysely'

/**
 * When the next contact of an agent is expected: when it is called, because it is connected; not any more, because it is late;
 * within an hour, within a day, later, or not at all, because there was none yet.
 */
export const nextContacts = ['WhenCalled', 'Overdue', 'Hour', 'Day', 'Later', 'None'] as const

export type NextContact = (typeof nextContacts)[number]

/** Contacts are spread by a tenth of their interval, and a busy service asks agents for some patience. */
const allowedDelay = (contactInterval: RawBuilder<unknown>) =>
  sql`greatest(${contactInterval} / 5, interval '5 minutes')`

type ContactColumns = { lastSeenAt: string; connected: string; contactInterval: string }

/** Follows from the last contact and the interval of the agent alone. Work that becomes due earlier brings it earlier. */
export function nextContactOf({ lastSeenAt, connected, contactInterval }: ContactColumns): RawBuilder<NextContact> {
  const interval = sql.ref(contactInterval)
  const at = sql`${sql.ref(lastSeenAt)} + ${interval}`
  return sql<NextContact>`case
    when ${sql.ref(connected)} is not null then 'WhenCalled'
    when ${sql.ref(lastSeenAt)} is null or ${interval} is null then 'None'
    when ${at} + ${allowedDelay(interval)} < now() then 'Overdue'
    when ${at} <= now() + interval '1 hour' then 'Hour'
    when ${at} <= now() + interval '1 day' then 'Day'
    else 'Later' end`
}

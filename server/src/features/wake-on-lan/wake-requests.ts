import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectiveOptions } from '../distribution/effective-options.ts'

export type WorkToWakeFor = {
  computer_id: number
  package_id: string | null
  group_id: string | null
  not_before: Date
}

export type WakeUpCauses = {
  computers: RawBuilder<{ owner_id: number }>
  /** When to wake all of these computers; null: only for work. */
  wakeAt: Date | null
  /** Computers are also woken for this work if its distribution options say so. */
  newWork: RawBuilder<WorkToWakeFor>
  /** Whether any distribution option asks for Wake-on-LAN. If not, the work is not read. */
  canWake: boolean
}

/**
 * Requests wake-ups at a time and when work may begin. Skips computers without a MAC address and repeated requests.
 * Returns whether Wake-on-LAN will be sent to any of the computers at that time.
 */
export async function requestWakeUps(
  db: Database,
  { computers, wakeAt, newWork, canWake }: WakeUpCauses,
): Promise<boolean> {
  const awaited = sql<{ computer_id: number }>`
    select owner_id as computer_id from (${computers}) as scope
    where exists (select from activations a where a.computer_id = owner_id)`
  const causes = [
    ...(wakeAt ? [sql`select computer_id, ${wakeAt}::timestamptz as wake_at from (${awaited}) as awaited`] : []),
    ...(canWake ? [wakeUpsForWork(newWork)] : []),
  ]
  if (causes.length === 0) return false
  const { numAffectedRows = 0n } = await sql`
    insert into wake_requests (computer_id, wake_at)
    select distinct cause.computer_id, cause.wake_at
    from (${sql.join(causes, sql` union all `)}) as cause
      join computers on computers.id = cause.computer_id and computers.mac_key is not null
    where not exists (
      select from wake_requests waiting
      where waiting.computer_id = cause.computer_id and waiting.sent_at is null
        and (waiting.wake_at = cause.wake_at or greatest(waiting.wake_at, cause.wake_at) <= now()))
    order by cause.computer_id`.execute(db)
  if (!wakeAt || numAffectedRows > 0n) return wakeAt !== null
  const { rows } = await sql`
    select from computers where mac_key is not null and id in (${awaited}) limit 1`.execute(db)
  return rows.length > 0
}

const wakeUpsForWork = (newWork: RawBuilder<WorkToWakeFor>): RawBuilder<{ computer_id: number; wake_at: Date }> => sql`
  select created.computer_id, min(created.not_before) as wake_at
  from (${newWork}) as created join (
    ${effectiveOptions(sql`select distinct group_id, package_id from (${newWork}) as created where group_id is not null`)}
  ) as options on options.group_id = created.group_id and options.package_id = created.package_id and options.wol
  where created.not_before < 'infinity'
  group by created.computer_id`

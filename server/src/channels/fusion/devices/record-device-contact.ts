import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { effectiveAgentSettings } from '../../../features/agents/effective-settings.ts'
import { lastSeenCtes } from '../../../features/agents/last-seen.ts'
import { workDueTimes } from '../../../features/agents/next-contact.ts'
import { settingsHash } from '../../../features/agents/settings.ts'
import { isFrozen } from '../../../features/blast-radius/freeze.ts'
import { isOpenWork } from '../../../features/work-states/work-states.ts'
import type { FusionKind } from './agent-programs.ts'
import { credentialColumns, type DeviceCredentials, isOwnDevice } from './device-proof.ts'

/** What a device reports at a contact, under the names of the columns that store it. */
export type DeviceContactReport = DeviceCredentials & {
  token_id: number
  kind: FusionKind
  version: string | null
  /** The agent is able to send an inventory. */
  has_inventory_task: boolean
  /** The agent can repeat this contact in JSON. It does so when it is bound and has no gap, and is asked only then. */
  can_repeat: boolean
}

export type DeviceContactRow = {
  id: number
  /** False when something about the device had to be recorded but its row is locked. */
  is_recorded: boolean
  /** The contact interval as the template has it, not validated. */
  interval: unknown
  /** The device has a computer. It gets one with its first inventory. */
  is_bound: boolean
  /** The agent must send its inventory now. */
  is_asked: boolean
  /** An inventory got lost without the agent noticing, so the next one must be complete. */
  has_gap: boolean
  has_due_work: boolean
  /** When work becomes due that is not due yet. */
  next_work_at: Date | null
}

/** How often a device is asked for its inventory. */
const inventoryIntervalMinutes = 480

/** Records a contact. Returns undefined when no device has this id and proof, or its enrolment was revoked. */
export async function recordDeviceContact(
  db: Database,
  report: DeviceContactReport,
): Promise<DeviceContactRow | undefined> {
  const [row] = await runContactStatement(db, JSON.stringify(report))
  return row
}

const runContactStatement = preparedStatement((db, report: string) => contactStatement(report).compile(db))

const hasDueRefresh = (computerId: string): RawBuilder<boolean> => sql`exists (
  select from work
  where computer_id = ${sql.ref(computerId)} and kind = 'Refresh' and ${isOpenWork('state')} and not_before <= now())`

const isInventoryLate = (storedAt: string): RawBuilder<boolean> => sql`coalesce(
  ${sql.ref(storedAt)} < now() - ${sql.lit(inventoryIntervalMinutes)} * interval '1 minute', true)`

/** The settings that the answer to a contact gives the agent. It can follow no others, whatever the template has. */
const appliedSettings = (effective: string): RawBuilder<Record<string, unknown>> => sql`
  jsonb_strip_nulls(jsonb_build_object(
    'contactIntervalMinutes', ${sql.ref(`${effective}.settings`)} -> 'contactIntervalMinutes'))`

/**
 * One statement records a contact: CTEs that write, and a final select that answers. It never waits for a lock: rows of
 * the computer that are locked are written at the next contact, and a device that is locked must repeat its contact.
 */
const contactStatement = (report: string) => sql<DeviceContactRow>`
  with reported as materialized (
    select * from jsonb_to_record(${report}::jsonb) as report(${credentialColumns}, token_id integer,
      kind text, version text, has_inventory_task boolean, can_repeat boolean)
  ), accepted as materialized (
    select d.id, d.computer_id, d.has_base, d.asked_at, d.stored_at, d.is_inventory_due, reported.token_id, reported.kind,
      coalesce(reported.version, d.version) as version, reported.has_inventory_task, reported.can_repeat
    from reported join fusion_devices d on ${isOwnDevice('d', 'reported')}
  ), asked as materialized (
    select gap.has_gap, contact.has_inventory_task and (gap.has_gap or contact.is_inventory_due
        or ${isInventoryLate('contact.stored_at')} or ${hasDueRefresh('contact.computer_id')}) as is_wanted,
      gap.has_gap or contact.computer_id is null or not contact.can_repeat as is_final
    from accepted contact cross join lateral (
      select contact.has_inventory_task and (coalesce(contact.asked_at > contact.stored_at, contact.asked_at is not null)
        or contact.stored_at is not null and not contact.has_base) as has_gap
    ) as gap
  ), changed_device as materialized (
    select d.id, asked.is_wanted and asked.is_final as is_asked_now
    from accepted contact join fusion_devices d on d.id = contact.id cross join asked
    where asked.is_wanted and asked.is_final
      or (d.enrolment_token_id, d.kind, d.version) is distinct from (contact.token_id, contact.kind, contact.version)
  ), locked_device as materialized (
    select id from fusion_devices where id = any(array(select id from changed_device)) for no key update skip locked
  ), device as (
    update fusion_devices d set enrolment_token_id = contact.token_id, kind = contact.kind, version = contact.version,
      asked_at = case when changed_device.is_asked_now then now() else d.asked_at end
    from accepted contact join changed_device using (id) join locked_device using (id)
    where d.id = contact.id
  ), ${lastSeenCtes(sql`select computer_id from accepted where computer_id is not null`)}, effective as materialized (
    select assigned.owner_id, case when assigned.is_distributable
        or a.settings_hash = ${settingsHash(appliedSettings('assigned'))} then assigned.settings else '{}' end as settings
    from (${effectiveAgentSettings(sql`select computer_id as owner_id from accepted where computer_id is not null`)}) as assigned
      left join agents a on a.computer_id = assigned.owner_id
  ), applied as materialized (
    select owner_id, ${settingsHash(appliedSettings('effective'))} as hash from effective
  ), locked_agent as materialized (
    select a.computer_id
    from agents a join accepted contact using (computer_id) join applied on applied.owner_id = contact.computer_id
    where (a.kind, a.version, a.settings_hash) is distinct from (contact.kind, contact.version, applied.hash)
    for no key update of a skip locked
  ), state as (
    update agents a set kind = contact.kind, version = contact.version, settings_hash = applied.hash, state_changed_at = now()
    from accepted contact join locked_agent using (computer_id) join applied on applied.owner_id = contact.computer_id
    where a.computer_id = contact.computer_id
  )
  select contact.id, not exists (select from changed_device) or exists (select from locked_device) as is_recorded,
    contact.computer_id is not null as is_bound, asked.is_wanted as is_asked, asked.has_gap, effective.settings -> 'contactIntervalMinutes' as interval,
    due.is_due is true and not ${isFrozen} as has_due_work, due.next_work_at
  from accepted contact
    cross join asked
    left join effective on effective.owner_id = contact.computer_id
    cross join lateral (${workDueTimes(sql`
        select greatest(not_before, case when state = 'Leased' then leased_until end) as due_at from work
        where computer_id = contact.computer_id and ${isOpenWork('state')} and kind not in ('OperatingSystem', 'Refresh')`)}
    ) as due`

import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { effectiveAgentSettings } from '../../../features/agents/effective-settings.ts'
import type { FusionKind } from './agent-kinds.ts'

/** What is known of an agent that makes contact, in the names of the columns that keep it. */
export type SaidAtContact = {
  device_id: string
  token_id: number
  is_open: boolean
  kind: FusionKind
  version: string | null
  /** Of its certificate, in hexadecimal digits. */
  certificate_hash: string | null
  /** The agent would send its inventory. */
  has_inventory_task: boolean
  /** It will say the same again, in the form that it is answered in. */
  only_greets: boolean
}

export type ContactRow = {
  id: number
  /** Whatever the template says about the minutes between contacts. */
  interval: unknown
  /** The agent is to send its inventory now. */
  is_asked: boolean
  /** An inventory got lost, and the agent does not know it: the next one has to be whole. */
  has_gap: boolean
  has_due_work: boolean
  /** When the next piece of work is due that is not due yet. */
  next_work_at: Date | null
}

/** How often an inventory is asked for, where the template does not say so. */
const usualInventoryMinutes = 480

/** Remembers a contact. No row for an agent that is not known, or that comes through another door than it may. */
export async function recordContact(db: Database, said: SaidAtContact): Promise<ContactRow | undefined> {
  const [row] = await contact(db, JSON.stringify(said))
  return row
}

/** Enters an agent that was never heard of. */
export async function enterDevice(db: Database, said: SaidAtContact): Promise<void> {
  await db
    .insertInto('fusion_devices')
    .values({
      device_id: said.device_id,
      enrolment_token_id: said.token_id,
      kind: said.kind,
      version: said.version,
      certificate_hash: said.certificate_hash === null ? null : Buffer.from(said.certificate_hash, 'hex'),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const daysOfStrangers = 30

/** Forgets agents that never sent an inventory. Returns how many there were. */
export async function purgeUnboundDevices(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from fusion_devices
    where computer_id is null and first_seen_at < now() - ${sql.lit(daysOfStrangers)} * interval '1 day'
      and coalesce(stored_at, asked_at, first_seen_at) < now() - ${sql.lit(daysOfStrangers)} * interval '1 day'`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

const contact = preparedStatement((db, said: string) => statement(said).compile(db))

const isRefresh = sql`exists (
  select from work
  where computer_id = k.computer_id and kind = 'Refresh' and state in ('Due', 'Leased') and not_before <= now())`

const isLate = sql`coalesce(k.stored_at < now() - ${sql.lit(usualInventoryMinutes)} * interval '1 minute', true)`

const statement = (said: string) => sql<ContactRow>`
  with said as materialized (
    select * from jsonb_to_record(${said}::jsonb) as said(device_id text, token_id integer, is_open boolean, kind text,
      version text, certificate_hash text, has_inventory_task boolean, only_greets boolean)
  ), known as materialized (
    select d.id, d.computer_id, d.has_base, d.asked_at, d.stored_at, d.is_inventory_due, said.token_id, said.kind,
      coalesce(said.version, d.version) as version, said.has_inventory_task, said.only_greets,
      coalesce(d.certificate_hash, decode(said.certificate_hash, 'hex')) as certificate_hash
    from said join fusion_devices d on d.device_id = said.device_id
    where ${mayEnter(sql`said.token_id`, sql`said.is_open`, sql`decode(said.certificate_hash, 'hex')`)}
  ), asked as materialized (
    select gap.has_gap, k.has_inventory_task and (gap.has_gap or k.is_inventory_due or ${isLate} or ${isRefresh}) as is_wanted,
      gap.has_gap or not k.only_greets as is_final
    from known k cross join lateral (
      select k.has_inventory_task and (coalesce(k.asked_at > k.stored_at, k.asked_at is not null)
        or k.stored_at is not null and not k.has_base) as has_gap
    ) as gap
  ), device as (
    update fusion_devices d set enrolment_token_id = k.token_id, kind = k.kind, version = k.version,
      certificate_hash = k.certificate_hash, asked_at = case when asked.is_wanted and asked.is_final then now() else d.asked_at end
    from known k cross join asked
    where d.id = k.id and (asked.is_wanted and asked.is_final or (d.enrolment_token_id, d.kind, d.version, d.certificate_hash)
      is distinct from (k.token_id, k.kind, k.version, k.certificate_hash))
  ), seen as (
    insert into computer_contacts as c (computer_id, last_seen_at)
    select computer_id, now() from known where computer_id is not null
    on conflict on constraint computer_contacts_pkey do update set last_seen_at = excluded.last_seen_at
  ), held as materialized (
    ${effectiveAgentSettings(sql`select computer_id as owner_id from known where computer_id is not null`)}
  ), state as (
    update agents a set kind = k.kind, version = k.version, settings_hash = held.settings_hash, state_changed_at = now()
    from known k join held on held.owner_id = k.computer_id
    where a.computer_id = k.computer_id
      and (a.kind, a.version, a.settings_hash) is distinct from (k.kind, k.version, held.settings_hash)
  )
  select k.id, asked.is_wanted as is_asked, asked.has_gap, held.settings -> 'contactIntervalMinutes' as interval,
    coalesce(waiting.is_due, false) as has_due_work, waiting.next_work_at
  from known k
    cross join asked
    left join held on held.owner_id = k.computer_id
    cross join lateral (
      select bool_or(due_at <= now()) as is_due, min(due_at) filter (where due_at > now() and isfinite(due_at)) as next_work_at
      from (
        select greatest(not_before, case when state = 'Leased' then leased_until end) as due_at from work
        where computer_id = k.computer_id and state in ('Due', 'Leased') and package_id is not null
          and kind <> 'OperatingSystem'
      ) as open_work
    ) as waiting`

/**
 * Whether the device `d` may come in: by its own secret, or by another one that still lets agents in; and with its own
 * certificate, if it has one.
 */
export function mayEnter(
  tokenId: ReturnType<typeof sql>,
  isOpen: ReturnType<typeof sql>,
  certificateHash: ReturnType<typeof sql>,
) {
  return sql<boolean>`(d.enrolment_token_id = ${tokenId} or ${isOpen})
    and (d.certificate_hash is null or d.certificate_hash is not distinct from ${certificateHash})`
}

import { sql } from 'kysely'
import { batchCalls } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import { effectiveAgentSettings } from '../../features/agents/effective-settings.ts'
import { isLost } from '../../features/deployments/lease.ts'
import { wantedSections } from './wanted-sections.ts'

/** What an agent says at a contact, in the names of the columns that keep it. */
export type SaidAtContact = {
  client_id: number
  /** In hexadecimal digits. */
  secret_hash: string
  run_id: string
  version: string
  platform: string
  boot_at: Date
  is_reboot_required: boolean
  reboot_required_source: string | null
  suspension_mode: string | null
  suspended_until: Date | null
  logged_on_user: string | null
  ip_address: string | null
  settings_hash: string | null
  sections: Record<string, string>
  is_empty_handed: boolean
}

export type ContactRow = {
  client_id: number
  settings_hash: string
  /** Null when the agent has them. */
  settings: Record<string, string | number | boolean> | null
  /** Whatever the template says about it. */
  interval: unknown
  sections: string[]
  is_due: boolean
  /** Another process of the agent was seen since this one was seen first. */
  has_come_back: boolean
  /** When the next piece of work is due that is not due yet. */
  next_work_at: Date | null
}

const rememberedRuns = 5
/** Agents compute the time of the start from a clock and a counter that do not tick alike. */
const bootToleranceSeconds = 10

// More would make those wait that came first, and gain little.
const mostTogether = 64

const contactsOn = new WeakMap<Database, (said: SaidAtContact) => Promise<ContactRow | undefined>>()

/** Remembers a contact and tells what is to be done about it. No row for a credential that is not valid. */
export function recordContact(db: Database, said: SaidAtContact): Promise<ContactRow | undefined> {
  const record = contactsOn.get(db) ?? sharedContacts(db)
  contactsOn.set(db, record)
  return record(said)
}

function sharedContacts(db: Database) {
  return batchCalls({
    async run(contacts: readonly SaidAtContact[]) {
      const rows = await contact(db, JSON.stringify(contacts))
      const byClient = new Map(rows.map((row) => [row.client_id, row]))
      return contacts.map(({ client_id }) => byClient.get(client_id))
    },
    keyOf: ({ client_id }) => client_id,
    maxBatchSize: mostTogether,
  })
}

/** For a comparison with the statement alone. */
export const contactStatement = (db: Database, said: string) => statement(said).compile(db)

const contact = preparedStatement(contactStatement)

// An inventory that is told and is the stored one is as good as a new one. Its date moves once a day.
const isConfirmed = sql`k.sections <> '{}' and wanted.sections = '{}' and known.inventory_at < now() - interval '1 day'`

const statement = (said: string) => sql<ContactRow>`
  with said as materialized (
    select * from jsonb_to_recordset(${said}::jsonb) as said(client_id integer, secret_hash text, run_id uuid, version text,
      platform text, boot_at timestamptz, is_reboot_required boolean, reboot_required_source text, suspension_mode text,
      suspended_until timestamptz, logged_on_user text, ip_address text, settings_hash text, sections jsonb, is_empty_handed boolean)
  ), known as materialized (
    select said.*, a.recent_runs, said.run_id = any(a.recent_runs) and said.run_id <> a.recent_runs[1] as has_come_back,
      case when abs(extract(epoch from a.boot_at - said.boot_at)) <= ${sql.lit(bootToleranceSeconds)} then a.boot_at
        else said.boot_at end as started_at
    from said join agents a on a.computer_id = said.client_id and a.secret_hash = decode(said.secret_hash, 'hex')
    -- Whoever changes several of these rows at once does so in this order.
    order by said.client_id
  ), seen as (
    insert into computer_contacts as c (computer_id, last_seen_at) select client_id, now() from known
    on conflict on constraint computer_contacts_pkey do update set last_seen_at = excluded.last_seen_at
  ), state as (
    update agents a set version = k.version, platform = k.platform, boot_at = k.started_at,
      is_reboot_required = k.is_reboot_required, reboot_required_source = k.reboot_required_source,
      suspension_mode = k.suspension_mode, suspended_until = k.suspended_until, logged_on_user = k.logged_on_user,
      settings_hash = k.settings_hash, state_changed_at = now(),
      recent_runs = (array[k.run_id] || array_remove(a.recent_runs, k.run_id))[1:${sql.lit(rememberedRuns)}],
      duplicate_seen_at = case when k.has_come_back then now() else a.duplicate_seen_at end
    from known k
    where a.computer_id = k.client_id
      and (a.version, a.platform, a.boot_at, a.is_reboot_required, a.reboot_required_source, a.suspension_mode,
          a.suspended_until, a.logged_on_user, a.settings_hash, a.recent_runs[1])
        is distinct from (k.version, k.platform, k.started_at, k.is_reboot_required, k.reboot_required_source,
          k.suspension_mode, k.suspended_until, k.logged_on_user, k.settings_hash, k.run_id)
  ), wanted as materialized (
    select k.client_id, ${wantedSections(sql`k.client_id`, sql`k.sections`)} as sections from known k
  ), computer as (
    update computers c set reported_ip_address = new.ip_address, inventory_at = new.inventory_at
    from known k join wanted using (client_id) cross join lateral (
      select coalesce(k.ip_address, known.reported_ip_address) as ip_address,
        case when ${isConfirmed} then now() else known.inventory_at end as inventory_at
      from computers known where known.id = k.client_id
    ) as new
    where c.id = k.client_id
      and (c.reported_ip_address, c.inventory_at) is distinct from (new.ip_address, new.inventory_at)
  )
  select k.client_id, held.settings_hash,
    case when held.settings_hash is distinct from k.settings_hash then held.settings end as settings,
    held.settings -> 'contactIntervalMinutes' as interval,
    wanted.sections, k.has_come_back,
    coalesce(waiting.is_due, false) as is_due, waiting.next_work_at
  from known k
    join wanted using (client_id)
    join (${effectiveAgentSettings(sql`select client_id as owner_id from known`)}) as held on held.owner_id = k.client_id
    cross join lateral (
      select bool_or(due_at <= now()) as is_due, min(due_at) filter (where due_at > now() and isfinite(due_at)) as next_work_at
      from (${openWork(sql`package_id is not null`)} union all ${openWork(sql`package_id is null`)}) as open_work
    ) as waiting`

const lost = isLost('work', {
  runId: sql`k.run_id`,
  hasComeBack: sql`k.has_come_back`,
  isEmptyHanded: sql`k.is_empty_handed`,
})

// One part for each of the two partial indexes on open work.
function openWork(part: ReturnType<typeof sql>) {
  return sql`
    select greatest(not_before, case when state = 'Leased' and ${lost} is not true then leased_until end) as due_at
    from work
    where computer_id = k.client_id and state in ('Due', 'Leased') and ${part} and kind <> 'OperatingSystem'`
}

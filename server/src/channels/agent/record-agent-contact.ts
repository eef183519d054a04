import { type RawBuilder, sql } from 'kysely'
import { shareStatement } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import { bootToleranceSeconds } from '../../features/agents/agent-state.ts'
import { effectiveAgentSettings } from '../../features/agents/effective-settings.ts'
import { lastSeenCtes } from '../../features/agents/last-seen.ts'
import { workDueTimes } from '../../features/agents/next-contact.ts'
import { isFrozen } from '../../features/blast-radius/freeze.ts'
import { isLost } from '../../features/deployments/lease.ts'
import { wantedSections } from '../../features/inventory/wanted-sections.ts'
import { isOpenWork } from '../../features/work-states/work-states.ts'

/** What an agent reports at a contact, under the names of the columns that store it. */
export type AgentContactReport = {
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
  has_no_leased_work: boolean
}

export type AgentContactRow = {
  client_id: number
  /** The hash that was reported. */
  secret_hash: string
  /** False when the agent has a new state that could not be recorded, because its row is locked. */
  is_recorded: boolean
  /** When the credential of the agent was issued. */
  secret_issued_at: Date
  settings_hash: string
  /** Null when the agent already has the current settings, or when their template may not be distributed. */
  settings: Record<string, string | number | boolean> | null
  /** The contact interval as the template has it, not validated. Null if the agent does not follow the template. */
  interval: unknown
  sections: string[]
  /** Always false while the installation is frozen. */
  is_due: boolean
  /** Another process of the agent has made contact since the first contact of this one. */
  is_duplicate_process: boolean
  /** When work becomes due that is not due yet. */
  next_work_at: Date | null
  /** Whether the content of some of that work is to be downloaded before it is due. */
  has_upcoming: boolean
}

const rememberedRuns = 5

/** A larger batch delays the contacts that arrived first and gains little. */
const maxSharedContacts = 64

/** Most of the cost of a small batch is that of its statement, and no agent notices this delay. */
const minContactIntervalMs = 40
const largeContactBatch = 24

/**
 * Records a contact and returns what the agent must do next. Returns undefined when the credential is not valid; then
 * nothing is written. Concurrent contacts share one statement, which never waits for a lock: a locked computer must not
 * delay the others.
 */
export const recordAgentContact = shareStatement((db) => ({
  async run(reports: readonly AgentContactReport[]): Promise<(AgentContactRow | undefined)[]> {
    const rows = await runContactStatement(db, JSON.stringify(reports))
    const byCredential = new Map(rows.map((row) => [credentialOf(row), row]))
    return reports.map((report) => byCredential.get(credentialOf(report)))
  },
  // Nobody has checked the secret yet: a contact with a wrong one must not delay the agent of the computer.
  keyOf: credentialOf,
  maxBatchSize: maxSharedContacts,
  minIntervalMs: minContactIntervalMs,
  largeBatchSize: largeContactBatch,
}))

function credentialOf({ client_id, secret_hash }: Pick<AgentContactReport, 'client_id' | 'secret_hash'>): string {
  return `${client_id} ${secret_hash}`
}

/** Exported for the benchmark, which compares a contact with its bare statement. */
export const compileContactStatement = (db: Database, reports: string) => contactStatement(reports).compile(db)

const runContactStatement = preparedStatement(compileContactStatement)

/**
 * Whether the agent has reported an inventory whose hashes are all stored. That confirms the inventory as much as sending
 * it again would. Its date moves at most once a day.
 */
function isConfirmed(
  reportedSections: RawBuilder<Record<string, string>>,
  missingSections: RawBuilder<string[]>,
  inventoryAt: RawBuilder<Date>,
): RawBuilder<boolean> {
  return sql`${reportedSections} <> '{}' and ${missingSections} = '{}' and ${inventoryAt} < now() - interval '1 day'`
}

/** Whether the contact in the row `contact` presents the credential that was offered to the agent in the row `a`. */
const isOfferUsed: RawBuilder<boolean | null> = sql`decode(contact.secret_hash, 'hex') = a.next_secret_hash`

/**
 * One statement records a batch of contacts: CTEs that write, and a final select that answers. Rows are locked before they
 * are written, in the order of their computers, and rows that others have locked are skipped. An address or an inventory
 * date that is skipped is written at the next contact.
 *
 * The plan is made once, perhaps while the fleet is small. `offset 0` keeps it from beginning with all agents or computers.
 */
const contactStatement = (reports: string) => sql<AgentContactRow>`
  with reported as materialized (
    select * from jsonb_to_recordset(${reports}::jsonb) as report(client_id integer, secret_hash text, run_id uuid, version text,
      platform text, boot_at timestamptz, is_reboot_required boolean, reboot_required_source text, suspension_mode text,
      suspended_until timestamptz, logged_on_user text, ip_address text, settings_hash text, sections jsonb, has_no_leased_work boolean)
  ), accepted as materialized (
    -- One row for each computer. If it presents both its credentials at once, the offered one ends the other.
    select distinct on (reported.client_id) reported.*, new.started_at, case when new.uses_offer then now() else a.secret_issued_at end as secret_issued_at,
      reported.run_id = any(a.recent_runs) and reported.run_id <> a.recent_runs[1] as is_duplicate_process,
      (a.version, a.platform, a.boot_at, a.is_reboot_required, a.reboot_required_source, a.suspension_mode,
          a.suspended_until, a.logged_on_user, a.settings_hash, a.recent_runs[1])
        is distinct from (reported.version, reported.platform, new.started_at, reported.is_reboot_required,
          reported.reboot_required_source, reported.suspension_mode, reported.suspended_until, reported.logged_on_user,
          reported.settings_hash, reported.run_id)
        or new.uses_offer as has_new_state
    from reported cross join lateral (select decode(reported.secret_hash, 'hex') as hash) as presented
      cross join lateral (
        select * from agents
        where computer_id = reported.client_id and presented.hash in (secret_hash, next_secret_hash) offset 0
      ) as a
      cross join lateral (
        select case when abs(extract(epoch from a.boot_at - reported.boot_at)) <= ${sql.lit(bootToleranceSeconds)} then a.boot_at
          else reported.boot_at end as started_at, a.next_secret_hash is not distinct from presented.hash as uses_offer
      ) as new
    order by reported.client_id, new.uses_offer desc
  ), ${lastSeenCtes(sql`select client_id as computer_id from accepted`)}, wanted as materialized (
    select contact.client_id, ${wantedSections(sql`contact.client_id`, sql`contact.sections`)} as sections from accepted contact
  ), changed as materialized (
    select contact.client_id, new.ip_address, new.inventory_at
    from accepted contact join wanted using (client_id)
      cross join lateral (
        select reported_ip_address, inventory_at from computers where id = contact.client_id offset 0
      ) as stored
      cross join lateral (
        select coalesce(contact.ip_address, stored.reported_ip_address) as ip_address,
          case when ${isConfirmed(sql`contact.sections`, sql`wanted.sections`, sql`stored.inventory_at`)} then now() else stored.inventory_at end as inventory_at
      ) as new
    where (stored.reported_ip_address, stored.inventory_at) is distinct from (new.ip_address, new.inventory_at)
  ), locked_computer as materialized (
    -- After new_row: a row that this statement has updated could not be locked by it any more.
    select id from computers where id = any(array(select client_id from changed, (select count(*) from new_row) as locked))
    order by id for no key update skip locked
  ), locked_agent as materialized (
    -- After the computers, as everywhere.
    select computer_id from agents where computer_id = any(array(
      select client_id from accepted, (select count(*) from locked_computer) as locked where has_new_state))
    order by computer_id for no key update skip locked
  ), state as (
    update agents a set version = contact.version, platform = contact.platform, boot_at = contact.started_at,
      is_reboot_required = contact.is_reboot_required, reboot_required_source = contact.reboot_required_source,
      suspension_mode = contact.suspension_mode, suspended_until = contact.suspended_until, logged_on_user = contact.logged_on_user,
      settings_hash = contact.settings_hash, state_changed_at = now(),
      -- The first use of an offered credential ends the previous one.
      secret_hash = case when ${isOfferUsed} then a.next_secret_hash else a.secret_hash end,
      next_secret_hash = case when ${isOfferUsed} then null else a.next_secret_hash end,
      secret_issued_at = case when ${isOfferUsed} then now() else a.secret_issued_at end,
      recent_runs = (array[contact.run_id] || array_remove(a.recent_runs, contact.run_id))[1:${sql.lit(rememberedRuns)}],
      duplicate_seen_at = case when contact.is_duplicate_process then now() else a.duplicate_seen_at end
    from locked_agent join accepted contact on contact.client_id = locked_agent.computer_id
    where a.computer_id = contact.client_id
  ), computer as (
    update computers c set reported_ip_address = changed.ip_address, inventory_at = changed.inventory_at
    from locked_computer join changed on changed.client_id = locked_computer.id
    where c.id = changed.client_id
  )
  select contact.client_id, contact.secret_hash, contact.secret_issued_at, effective.settings_hash,
    not contact.has_new_state or contact.client_id in (select computer_id from locked_agent) as is_recorded,
    case when new_settings.differ and effective.is_distributable then effective.settings end as settings,
    case when effective.is_distributable or not new_settings.differ
      then effective.settings -> 'contactIntervalMinutes' end as interval,
    wanted.sections, contact.is_duplicate_process,
    due.is_due is true and not ${isFrozen} as is_due, due.next_work_at, due.has_upcoming is true as has_upcoming
  from accepted contact
    join wanted using (client_id)
    join (${effectiveAgentSettings(sql`select client_id as owner_id from accepted`)}) as effective on effective.owner_id = contact.client_id
    cross join lateral (select effective.settings_hash is distinct from contact.settings_hash as differ) as new_settings
    cross join lateral (${workDueTimes(
      // One part for each of the two partial indexes on open work.
      sql`${openWork('contact', sql`package_id is not null`)} union all ${openWork('contact', sql`package_id is null`)}`,
      sql`, bool_or(is_upcoming) as has_upcoming`,
    )}
    ) as due`

/** Open work of the computer in the row `contact`, each with the time when it becomes due. */
function openWork(contact: string, indexPredicate: RawBuilder<boolean>): RawBuilder<{ due_at: Date }> {
  const column = (name: string) => sql.ref<never>(`${contact}.${name}`)
  const isLeaseLost = isLost('work', {
    runId: column('run_id'),
    isDuplicateProcess: column('is_duplicate_process'),
    hasNoLeasedWork: column('has_no_leased_work'),
  })
  return sql`
    select greatest(not_before, case when state = 'Leased' and ${isLeaseLost} is not true then leased_until end) as due_at,
      pre_download and state = 'Due' and not_before > now() as is_upcoming
    from work
    where computer_id = ${column('client_id')} and ${isOpenWork('state')} and ${indexPredicate} and kind <> 'OperatingSystem'`
}

import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { executePrepared } from '../../database/prepared-statements.ts'
import { sharedDictionaryLock } from './dictionaries.ts'

export type ReportedHash = { section: string; hash: Buffer; collectedAt: Date }

/**
 * Records the hashes of reported sections and returns the sections whose hash has changed. Locks the computer first so
 * that two reports of one computer are stored one after the other, and a deletion of it does not come in between. Entries of
 * dictionaries are not purged from here on.
 *
 * If nothing has changed, it moves the date of the inventory once a day; otherwise the statement that stores the sections
 * does. The date is that of the server, because the clock of a computer may be wrong.
 */
export async function recordSectionHashes(
  db: Database,
  computerId: number,
  reports: readonly ReportedHash[],
): Promise<ReadonlySet<string>> {
  const { rows } = await executePrepared(
    db,
    sql<{ section: string }>`
    with locked as materialized (
      select id from computers where id = ${computerId} for no key update
    ), changed as (
      insert into inventory_sections as target (computer_id, section, hash, collected_at, received_at)
      select ${computerId}, section, hash, collected_at, clock_timestamp()
      from (select count(*) from locked) as first_lock, (${sharedDictionaryLock}) as dictionary_lock, unnest(
        ${reports.map(({ section }) => section)}::text[],
        ${reports.map(({ hash }) => hash)}::bytea[],
        ${reports.map(({ collectedAt }) => collectedAt)}::timestamptz[]
      ) as reported (section, hash, collected_at)
      where not exists (
        select from inventory_sections stored
        where stored.computer_id = ${computerId} and stored.section = reported.section and stored.hash = reported.hash)
      order by section
      on conflict (computer_id, section) do update
        set hash = excluded.hash, collected_at = excluded.collected_at, received_at = excluded.received_at
        where target.hash <> excluded.hash
      returning section
    ), dated as (
      update computers set inventory_at = now()
      where id = ${computerId} and not exists (select from changed)
        and coalesce(inventory_at < now() - interval '1 day', true)
    )
    select section from changed`,
  )
  return new Set(rows.map(({ section }) => section))
}

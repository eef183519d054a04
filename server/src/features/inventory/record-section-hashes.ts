import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export type ToldHash = { section: string; hash: Buffer; collectedAt: Date }

/**
 * The sections whose content is another than the stored one. Their rows are locked: two reports follow one another.
 *
 * Moves the date of the inventory too: once for all sections that come together, and once a day where nothing is new. The
 * server's clock counts, since nobody knows how wrong that of a computer is.
 */
export async function takeHashes(
  db: Database,
  computerId: number,
  told: readonly ToldHash[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ section: string }>`
    with changed as (
      insert into inventory_sections as stored (computer_id, section, hash, collected_at, received_at)
      select ${computerId}, section, hash, collected_at, clock_timestamp()
      from unnest(
        ${told.map(({ section }) => section)}::text[],
        ${told.map(({ hash }) => hash)}::bytea[],
        ${told.map(({ collectedAt }) => collectedAt)}::timestamptz[]
      ) as told (section, hash, collected_at)
      where not exists (
        select from inventory_sections known
        where known.computer_id = ${computerId} and known.section = told.section and known.hash = told.hash)
      order by section
      on conflict (computer_id, section) do update
        set hash = excluded.hash, collected_at = excluded.collected_at, received_at = excluded.received_at
        where stored.hash <> excluded.hash
      returning section
    ), dated as (
      update computers set inventory_at = now()
      where id = ${computerId} and coalesce(
        inventory_at < now() - case when exists (select from changed) then interval '5 minutes' else interval '1 day' end,
        true)
    )
    select section from changed`.execute(db)
  return new Set(rows.map(({ section }) => section))
}

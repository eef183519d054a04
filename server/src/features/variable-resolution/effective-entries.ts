import { type RawBuilder, sql } from 'kysely'
import { groupsOfComputers } from './effective-variables.ts'

export type EffectiveEntry = { owner_id: number; variable_id: number; entry_id: number }

/**
 * Selects the effective entries of collection variables for computers. `computers` selects their `owner_id`.
 *
 * The entries of a computer itself replace all entries of its groups. Otherwise the nearest group that has entries of
 * the collection decides, and entries of groups further away do not count. Of groups at the same distance, the
 * configuration tree comes first, then the order of paths decides.
 */
export function effectiveEntries(computers: RawBuilder<{ owner_id: number }>): RawBuilder<EffectiveEntry> {
  return sql<EffectiveEntry>`
    with owners as (${computers}),
      reached as not materialized (${groupsOfComputers('owners')}),
      candidates as (
        select owners.owner_id, entry.variable_id, entry.id as entry_id, null::uuid as group_id, -1 as distance
        from owners join variable_collection_entries entry on entry.computer_id = owners.owner_id
        union all
        select reached.owner_id, entry.variable_id, entry.id, reached.group_id, reached.distance
        from reached join variable_collection_entries entry on entry.group_id = reached.group_id
      ),
      ranked as (
        select owner_id, variable_id, entry_id, dense_rank() over (
          partition by owner_id, variable_id
          order by distance, groups.tree <> 'ConfigurationGroups', groups.path collate "C") as place
        from candidates left join groups on groups.id = candidates.group_id
      )
    select distinct owner_id, variable_id, entry_id from ranked where place = 1`
}

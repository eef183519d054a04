import { type RawBuilder, sql } from 'kysely'
import { sections } from './inventory/sections.ts'

const names = sql.join(sections.map(({ name }) => sql.lit(name)))

/**
 * The names of the inventory sections that an agent is to send, as part of the one statement of a contact. `reported`
 * is a jsonb object of section to hash, as the agent has them.
 */
export function wantedSections(computerId: RawBuilder<number>, reported: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`array(
    select told.key
    from jsonb_each_text(${reported}) as told
      left join inventory_sections stored on stored.computer_id = ${computerId} and stored.section = told.key
    where told.key in (${names}) and encode(stored.hash, 'hex') is distinct from told.value
    order by told.key)`
}

/**
 * Whether a contact is to move `inventory_at` of the row of `computers` that is updated: what is told and is the stored
 * inventory is as good as a new one, but the date moves once a day only, so that contacts write nothing else for it.
 */
export function confirmsInventory(computerId: RawBuilder<number>, reported: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    computers.inventory_at < now() - interval '1 day' and ${reported} <> '{}'
    and ${wantedSections(computerId, reported)} = '{}')`
}

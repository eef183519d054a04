import { type RawBuilder, sql } from 'kysely'
import { inventorySections } from './sections/index.ts'

const names = sql.join(inventorySections.map(({ name }) => sql.lit(name)))

/**
 * The names of the inventory sections that an agent must send because their hash differs from the stored one. This is a
 * part of the single statement that a contact runs. `reported` is a jsonb object of section name to hash.
 */
export function wantedSections(
  computerId: RawBuilder<number>,
  reported: RawBuilder<Record<string, string>>,
): RawBuilder<string[]> {
  return sql<string[]>`array(
    select section.key
    from jsonb_each_text(${reported}) as section
      left join inventory_sections stored on stored.computer_id = ${computerId} and stored.section = section.key
    where section.key in (${names}) and encode(stored.hash, 'hex') is distinct from section.value)`
}

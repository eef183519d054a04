import { type RawBuilder, sql } from 'kysely'
import { sections } from './sections/index.ts'

const names = sql.join(sections.map(({ name }) => sql.lit(name)))

/**
 * The names of the inventory sections that an agent is to send, because their stored hash is another: part of the one
 * statement of a contact. `reported` is a jsonb object of section to hash, as the agent has them.
 */
export function wantedSections(computerId: RawBuilder<number>, reported: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`array(
    select told.key
    from jsonb_each_text(${reported}) as told
      left join inventory_sections stored on stored.computer_id = ${computerId} and stored.section = told.key
    where told.key in (${names}) and encode(stored.hash, 'hex') is distinct from told.value)`
}

import { type RawBuilder, sql } from 'kysely'

/**
 * The names of the inventory sections that an agent is to send, as part of the one statement of a contact. `reported`
 * is a jsonb object of section to hash, as the agent has them.
 */
export function wantedSections(_computerId: RawBuilder<number>, _reported: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`'{}'::text[]`
}

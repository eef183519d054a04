import { type RawBuilder, sql } from 'kysely'

/** A condition: the package may be distributed. It is Ready to Install and its hash is current. Takes its alias. */
export function isDistributable(packages: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${packages}.${name}`)
  return sql<boolean>`(${column('is_operational')} and ${column('hash_state')} = 'Current')`
}

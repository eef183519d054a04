import { type RawBuilder, sql } from 'kysely'

/** Windows cuts the names that old protocols use to this length. */
const maxNetbiosName = 15

/**
 * Whether a computer, which is a row of `computers`, reports the name and the domain under which it is managed; null if
 * it reports none. `fqdn` is the full name that its inventory reported.
 *
 * The name of a computer never follows the report: it is unique, and a computer must not be able to take the name of
 * another one. A domain without a dot is a workgroup or a short name, which the full name does not contain.
 */
export function nameMatches(fqdn: RawBuilder<string | null>): RawBuilder<boolean | null> {
  const reportedName = sql`lower(split_part(${fqdn}, '.', 1))`
  const reportedDomain = sql`lower(substr(${fqdn}, strpos(${fqdn}, '.') + 1))`
  const name = sql`lower(split_part(computers.name, '.', 1))`
  return sql<boolean | null>`(
    (${reportedName} = ${name}
      or length(${name}) = ${sql.lit(maxNetbiosName)} and left(${reportedName}, ${sql.lit(maxNetbiosName)}) = ${name})
    and (strpos(${fqdn}, '.') = 0 or strpos(computers.domain, '.') = 0 or ${reportedDomain} = lower(computers.domain)))`
}

/** Selects the ids of the computers whose report matches the name, or does not. */
export function computerIdsByNameMatch(isMatch: boolean): RawBuilder<number> {
  return sql<number>`(
    select computers.id from computers join system_records system on system.computer_id = computers.id
    where ${nameMatches(sql.ref('system.fqdn'))} = ${isMatch})`
}

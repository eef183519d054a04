import { type RawBuilder, sql } from 'kysely'

/**
 * Builds parts of a `with` clause that record the contact time of computers and never wait for a lock. A locked row is
 * skipped: its computer is being deleted, or another contact of it is being recorded. `computers` selects their ids.
 */
export function lastSeenCtes(computers: RawBuilder<{ computer_id: number }>): RawBuilder<unknown> {
  return sql`
    known_row as materialized (
      select computer_id from computer_contacts where computer_id = any(array(${computers}))
      order by computer_id for no key update skip locked
    ), seen_again as (
      update computer_contacts set last_seen_at = now() where computer_id = any(array(select computer_id from known_row))
    ), new_row as materialized (
      -- The foreign key would wait for the lock of a deletion, so it is tried before the insert.
      select id from computers
      where id = any(array(select computer_id from (${computers}) as contact except select computer_id from known_row))
        and not exists (select from computer_contacts stored where stored.computer_id = computers.id offset 0)
      order by id for key share skip locked
    ), seen_first as (
      insert into computer_contacts (computer_id, last_seen_at) select id, now() from new_row order by id
      on conflict on constraint computer_contacts_pkey do nothing
    )`
}

/** A statement that records the contact time of one computer. The caller has locked the computer. */
export function upsertLastSeen(computerId: number): RawBuilder<unknown> {
  return sql`
    insert into computer_contacts (computer_id, last_seen_at) values (${computerId}, now())
    on conflict on constraint computer_contacts_pkey do update set last_seen_at = excluded.last_seen_at`
}

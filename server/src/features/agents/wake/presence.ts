import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** A process that has not renewed its row for longer has died. */
const maxSilenceSeconds = 60

/** Connections that ended longer ago than this are deleted, and so are calls whose agents have not come back. */
const retentionHours = 1

/** A live connection counts as a contact, to within this time. */
const seenEveryMinutes = 5
const maxSeenAtOnce = 5_000

export type NewConnection = { computerId: number; secretHash: Buffer }

/**
 * Recorded: the database knows the connection. Refused: its credential has ended since it was accepted. Locked: its agent is
 * being changed, so nobody knows yet.
 */
export type PresenceOutcome = 'Recorded' | 'Refused' | 'Locked'

/**
 * Records that this process has these connections. Locks the agents so that a credential that ends at the same time ends the
 * connection as well: either this statement sees the new credential, or the trigger that ends connections sees these rows.
 */
export async function recordConnections(
  db: Database,
  nodeId: string,
  connections: readonly NewConnection[],
): Promise<Map<number, PresenceOutcome>> {
  const presented = connections.map(({ computerId, secretHash }) => ({
    computer_id: computerId,
    secret_hash: secretHash.toString('hex'),
  }))
  const { rows } = await sql<{ computer_id: number; outcome: PresenceOutcome }>`
    with presented as materialized (
      select presented.computer_id, presented.secret_hash, agents.computer_id is not null as is_valid
      from jsonb_to_recordset(${JSON.stringify(presented)}::jsonb) as presented (computer_id integer, secret_hash text)
        left join agents on agents.computer_id = presented.computer_id
          and agents.secret_hash = decode(presented.secret_hash, 'hex')
    ), locked as materialized (
      -- Compared again: a credential may have ended since this statement has begun. The next one refuses it.
      select agents.computer_id
      from presented join agents on agents.computer_id = presented.computer_id
        and agents.secret_hash = decode(presented.secret_hash, 'hex')
      where presented.is_valid
      order by agents.computer_id for share of agents skip locked
    ), recorded as (
      insert into wake_connections (computer_id, node_id) select computer_id, ${nodeId}::uuid from locked order by computer_id
      on conflict on constraint wake_connections_pkey do update
        set node_id = excluded.node_id, connected_since = excluded.connected_since, disconnected_at = null
    )
    select computer_id, case when not is_valid then 'Refused'
      when computer_id in (select computer_id from locked) then 'Recorded' else 'Locked' end as outcome
    from presented`.execute(db)
  return new Map(rows.map(({ computer_id, outcome }) => [computer_id, outcome]))
}

/**
 * Records that this process no longer has these connections. Their computers were seen until now. Those that were called and
 * may not have heard it are called again when they connect.
 */
export async function recordEnds(
  db: Database,
  nodeId: string,
  ended: readonly { computerId: number; isCallLost: boolean }[],
): Promise<void> {
  const ids = ended.map(({ computerId }) => computerId)
  const lost = ended.flatMap(({ computerId, isCallLost }) => (isCallLost ? computerId : []))
  await sql`
    with locked as materialized (
      select computer_id from wake_connections where computer_id = any(${ids}::integer[]) and node_id = ${nodeId}::uuid
      order by computer_id for no key update
    ), ended as (
      update wake_connections set node_id = null, disconnected_at = now()
      from locked where wake_connections.computer_id = locked.computer_id
    ), seen as materialized (
      select computer_id from computer_contacts where computer_id = any(array(select computer_id from locked))
      order by computer_id for no key update skip locked
    ), called as (
      insert into wake_calls (computer_id) select computer_id from unnest(${lost}::integer[]) as lost (computer_id)
    )
    update computer_contacts set last_seen_at = now() from seen
    where computer_contacts.computer_id = seen.computer_id`.execute(db)
}

export async function registerNode(db: Database, nodeId: string): Promise<void> {
  await sql`
    insert into wake_nodes (id) values (${nodeId}::uuid)
    on conflict on constraint wake_nodes_pkey do update set seen_at = now()`.execute(db)
}

/**
 * Shows that the process lives, and sends a notification to itself, by which it finds out whether notifications arrive. Returns
 * false if others have taken the process for dead.
 */
export async function renewNode(db: Database, nodeId: string): Promise<boolean> {
  const { rows } = await sql<{ known: number }>`
    with renewed as (
      update wake_nodes set seen_at = now() where id = ${nodeId}::uuid returning id
    )
    select count(*)::integer as known, pg_notify('muster_wake', ${nodeId}) from renewed`.execute(db)
  return (rows[0]?.known ?? 0) > 0
}

/** Ends the connections of a process that stops, or of all that have died. */
export async function removeNodes(db: Database, nodeId?: string): Promise<void> {
  const isRemoved = nodeId
    ? sql`id = ${nodeId}::uuid`
    : sql`seen_at < now() - make_interval(secs => ${maxSilenceSeconds})`
  await sql`
    with removed as (
      delete from wake_nodes where ${isRemoved} returning id
    ), locked as materialized (
      select computer_id from wake_connections where node_id = any(array(select id from removed))
      order by computer_id for no key update
    )
    update wake_connections set node_id = null, disconnected_at = now() from locked
    where wake_connections.computer_id = locked.computer_id`.execute(db)
}

export async function purgePresence(db: Database): Promise<void> {
  const limit = sql`now() - make_interval(hours => ${retentionHours})`
  await sql`delete from wake_calls where created_at < ${limit}`.execute(db)
  await sql`
    delete from wake_connections where computer_id = any(array(
      select computer_id from wake_connections where disconnected_at < ${limit} order by computer_id for update skip locked))
  `.execute(db)
}

/** Records that the computers that are connected to this process were seen. Returns whether more of them follow. */
export async function recordSeen(db: Database, nodeId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    with seen as materialized (
      select contact.computer_id
      from wake_connections connection join computer_contacts contact on contact.computer_id = connection.computer_id
      where connection.node_id = ${nodeId}::uuid
        and contact.last_seen_at < now() - make_interval(mins => ${seenEveryMinutes})
      order by contact.computer_id limit ${maxSeenAtOnce} for no key update of contact skip locked
    )
    update computer_contacts set last_seen_at = now() from seen
    where computer_contacts.computer_id = seen.computer_id`.execute(db)
  return Number(numAffectedRows) === maxSeenAtOnce
}

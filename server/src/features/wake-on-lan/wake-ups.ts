import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { WakeUp } from '../../platform/magic-packets.ts'
import { isFrozen } from '../blast-radius/freeze.ts'
import { isDepotOnline } from '../depots/depot-servers.ts'

const batchSize = 1_000
const maxAttempts = 5

/** The networks that depots report for themselves. Offline depots count too: their network rarely changes. */
const depotNetworks = sql`
  select computers.id, coalesce(ipv4(computers.ip_address), ipv4(computers.reported_ip_address)) as address,
    ipv4_with_mask(computers.ip_address, computers.subnet_mask) as network, ${isDepotOnline()} as is_online
  from computers join depots on depots.computer_id = computers.id
  where computers.role = 'DepotServer'`

/**
 * Assigns due wake-ups to the depots in the networks of their computers, for two minutes. All others, and those that a
 * depot does not confirm in time, are sent by the service. Nobody is woken while the installation is frozen. Returns how
 * many wake-ups it handled.
 */
export async function assignWakeUpsToDepots(db: Database): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with due as materialized (
      select request.id, computer.id as computer_id, ipv4(computer.reported_ip_address) as address,
        ipv4_with_mask(computer.ip_address, computer.subnet_mask) as network
      from wake_requests request join computers computer on computer.id = request.computer_id
      where request.sent_at is null and request.retry_at is null and request.wake_at <= now() and not ${isFrozen}
      order by request.wake_at
      limit ${batchSize}
      for update of request skip locked
    ), pinned as materialized (
      -- The foreign key would wait for the deletion of a depot, so a depot that is being deleted is skipped.
      select id from computers where role = 'DepotServer' and exists (select from due) order by id for key share skip locked
    ), depot as materialized (${depotNetworks}), near as (
      select distinct on (due.id) due.id, depot.id as depot_id
      from due join depot on depot.is_online and depot.id <> due.computer_id and depot.id in (select id from pinned)
        and (depot.address <<= due.network or (due.network is null and due.address <<= depot.network))
      order by due.id, masklen(depot.network) desc nulls last, depot.id
    )
    update wake_requests request
    set depot_id = near.depot_id, retry_at = now() + case when near.id is null then '0' else interval '2 minutes' end
    from due left join near on near.id = due.id
    where request.id = due.id`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Takes wake-ups that the service itself has to send. For a minute no other node takes them; by then the caller records
 * which were sent, and the others are due again.
 */
export async function claimWakeUps(db: Database, limit: number): Promise<WakeUp[]> {
  const { rows } = await sql<WakeUp>`
    with due as materialized (
      select id from wake_requests
      where sent_at is null and retry_at <= now()
      order by retry_at
      limit ${limit}
      for update skip locked
    ), claimed as (
      update wake_requests request
      set attempts = attempts + 1, depot_id = null, retry_at = now() + interval '1 minute'
      from due where request.id = due.id
      returning request.id, request.computer_id
    ), depot as materialized (${depotNetworks})
    select claimed.id, coalesce(computer.mac_address, '') as "macAddress", host(broadcast(coalesce(
        ipv4_with_mask(computer.ip_address, computer.subnet_mask),
        (select network from depot where ipv4(computer.reported_ip_address) <<= network order by masklen(network) desc limit 1)
      ))) as address
    from claimed join computers computer on computer.id = claimed.computer_id`.execute(db)
  return rows
}

/** Lists the wake-ups that the depot has to send now. */
export async function listWakeUpsOfDepot(db: Database, depotId: number, limit: number): Promise<WakeUp[]> {
  const { rows } = await sql<WakeUp>`
    select request.id, coalesce(computer.mac_address, '') as "macAddress", host(broadcast(coalesce(
        ipv4_with_mask(computer.ip_address, computer.subnet_mask),
        ipv4_with_mask(depot.ip_address, depot.subnet_mask)
      ))) as address
    from wake_requests request
      join computers computer on computer.id = request.computer_id
      join computers depot on depot.id = request.depot_id
    where request.depot_id = ${depotId} and request.sent_at is null and request.retry_at > now()
    order by request.retry_at
    limit ${limit}`.execute(db)
  return rows
}

/** Records what the depot has sent. Wake-ups that the service has claimed in the meantime are not affected. */
export async function confirmWakeUps(db: Database, depotId: number, ids: readonly number[]): Promise<void> {
  await sql`
    update wake_requests set sent_at = now(), attempts = attempts + 1
    where id = any(array(
      select id from wake_requests where id = any(${ids}::bigint[]) and depot_id = ${depotId} and sent_at is null
      order by id for no key update))`.execute(db)
}

/** Records which of the claimed wake-ups were sent. The others are tried again, up to the maximum of attempts. */
export async function recordSentWakeUps(
  db: Database,
  ids: readonly number[],
  sent: ReadonlySet<number>,
): Promise<void> {
  await sql`
    with locked as materialized (
      select id from wake_requests where id = any(${ids}::bigint[]) and sent_at is null order by id for update
    ), sent as (
      update wake_requests set sent_at = now() from locked
      where wake_requests.id = locked.id and locked.id = any(${[...sent]}::bigint[])
    )
    delete from wake_requests
    where id in (select id from locked) and id = any(${ids.filter((id) => !sent.has(id))}::bigint[])
      and attempts >= ${maxAttempts}`.execute(db)
}

import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { WakeUp } from '../../platform/magic-packets.ts'
import { depotIsOnline } from '../depots/depot-servers.ts'

const mostAtOnce = 1_000
const mostAttempts = 5

/** The networks in which depots say they are. Not as fresh as their heartbeats: a mask holds for longer. */
const depotNetworks = sql`
  select computers.id, coalesce(ipv4(computers.ip_address), ipv4(computers.reported_ip_address)) as address,
    ipv4_with_mask(computers.ip_address, computers.subnet_mask) as network, ${depotIsOnline} as is_online
  from computers join depots on depots.computer_id = computers.id
  where computers.role = 'DepotServer'`

/**
 * Hands the wake-ups that have come due to the depots in the networks of their computers, for two minutes. The others,
 * and what a depot does not confirm by then, are for the service. Returns how many it looked at.
 */
export async function handOverWakeUps(db: Database): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with due as materialized (
      select request.id, computer.id as computer_id, ipv4(computer.reported_ip_address) as address,
        ipv4_with_mask(computer.ip_address, computer.subnet_mask) as network
      from wake_requests request join computers computer on computer.id = request.computer_id
      where request.sent_at is null and request.retry_at is null and request.wake_at <= now()
      order by request.wake_at
      limit ${mostAtOnce}
      for update of request skip locked
    ), depot as materialized (${depotNetworks}), near as (
      select distinct on (due.id) due.id, depot.id as depot_id
      from due join depot on depot.is_online and depot.id <> due.computer_id
        and (depot.address <<= due.network or (due.network is null and due.address <<= depot.network))
      order by due.id, masklen(depot.network) desc nulls last, depot.id
    )
    update wake_requests request
    set depot_id = near.depot_id, retry_at = now() + case when near.id is null then '0' else interval '2 minutes' end
    from due left join near on near.id = due.id
    where request.id = due.id`.execute(db)
  return Number(numAffectedRows)
}

/** What the service itself has to send now. Until the transaction ends, it is out of reach for other nodes. */
export async function holdOwnWakeUps(db: Database, limit: number): Promise<WakeUp[]> {
  const { rows } = await sql<WakeUp>`
    with held as materialized (
      select id, computer_id from wake_requests
      where sent_at is null and retry_at <= now()
      order by retry_at
      limit ${limit}
      for update skip locked
    ), depot as materialized (${depotNetworks})
    select held.id, coalesce(computer.mac_key, '') as "macAddress", host(broadcast(coalesce(
        ipv4_with_mask(computer.ip_address, computer.subnet_mask),
        (select network from depot where ipv4(computer.reported_ip_address) <<= network order by masklen(network) desc limit 1)
      ))) as address
    from held join computers computer on computer.id = held.computer_id`.execute(db)
  return rows
}

/** What the depot has to send now. */
export async function wakeUpsOfDepot(db: Database, depotId: number, limit: number): Promise<WakeUp[]> {
  const { rows } = await sql<WakeUp>`
    select request.id, coalesce(computer.mac_key, '') as "macAddress", host(broadcast(coalesce(
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

/** Notes what the depot has sent. What the service has sent meanwhile is not the depot's any more. */
export async function confirmWakeUps(db: Database, depotId: number, ids: readonly number[]): Promise<void> {
  await sql`
    update wake_requests set sent_at = now(), attempts = attempts + 1
    where id = any(${ids}) and depot_id = ${depotId} and sent_at is null`.execute(db)
}

/** Notes how an attempt of the service ended; one that failed is repeated after a minute, a few times. */
export async function endOwnWakeUps(db: Database, ids: readonly number[], sent: ReadonlySet<number>): Promise<void> {
  await sql`
    update wake_requests
    set attempts = attempts + 1, depot_id = null, sent_at = case when id = any(${[...sent]}) then now() end,
      retry_at = now() + interval '1 minute'
    where id = any(${ids})`.execute(db)
  await sql`
    delete from wake_requests
    where id = any(${ids}) and sent_at is null and attempts >= ${mostAttempts}`.execute(db)
}

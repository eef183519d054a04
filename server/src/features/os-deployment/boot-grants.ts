import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { machineOf } from '../../platform/load/networks.ts'
import { isOpenWork } from '../work-states/work-states.ts'

// A computer that is being installed has few addresses. An attacker can have 2^64 of IPv6.
export const maxBootGrants = 100
const maxGrantsPerMachine = 16
/** Stands for all addresses that exceed a limit. They share a grant, which proves nothing: it is contested. */
const otherAddresses = 'other addresses'

/** Whether the installation of a row of `boot_grants` is still open. What belongs to one that has ended counts for nothing. */
export const isOfOpenInstallation: RawBuilder<boolean> = sql<boolean>`exists (
  select from work where work.id = boot_grants.work_id and ${isOpenWork('work.state')})`

/** Whether another address has asked for a boot script of the same installation as that of a row of `boot_grants`. */
export const isContested: RawBuilder<boolean> = sql<boolean>`exists (
  select from boot_grants other where other.work_id = boot_grants.work_id and other.computer_id = boot_grants.computer_id
    and other.id <> boot_grants.id)`

/** What one address may do for a computer while its operating system is to be installed. */
export type BootGrant = {
  id: string
  /** The address that asked for the boot script. */
  address: string
  /** Whether the installer has reported with this grant. From then on, the address gets the script for the disk. */
  hasReported: boolean
}

/**
 * Finds or inserts the grant of an address. Every address that asks gets one, because nobody can know which of them is
 * the computer: if the first one excluded the others, anyone who knows the MAC address could keep the computer from being
 * installed. Beyond the limits, addresses share one. Undefined if nothing is to be installed.
 */
export async function ensureBootGrant(
  db: Database,
  computerId: number,
  address: string,
): Promise<BootGrant | undefined> {
  const granted = await findGrantedAddress(db, computerId, address)
  const { rows } = await sql<BootGrant>`
    insert into boot_grants (computer_id, work_id, address)
    select computer_id, id, ${granted} from work
    where computer_id = ${computerId} and kind = 'OperatingSystem' and ${isOpenWork('state')} order by id desc limit 1
    on conflict on constraint boot_grants_computer_id_address_key do update set address = excluded.address
    returning id, address, reported_at is not null as "hasReported"`.execute(db)
  return rows[0]
}

/** The address under which a grant for this address is stored. */
async function findGrantedAddress(db: Database, computerId: number, address: string): Promise<string> {
  await deleteEndedGrants(db, computerId)
  const grants = await db.selectFrom('boot_grants').select('address').where('computer_id', '=', computerId).execute()
  const addresses = grants.map((grant) => grant.address)
  const ofMachine = addresses.filter((other) => machineOf(other) === machineOf(address))
  const isFull = addresses.length >= maxBootGrants || ofMachine.length >= maxGrantsPerMachine
  return isFull && !addresses.includes(address) ? otherAddresses : address
}

/** An installation that another one has replaced may have left grants, while the computer stayed activated. */
async function deleteEndedGrants(db: Database, computerId: number): Promise<void> {
  await sql`
    delete from boot_grants where id = any(array(
      select id from boot_grants where computer_id = ${computerId} and not ${isOfOpenInstallation}
      order by address for update))`.execute(db)
}

/** Undefined when the installation of the grant has ended. */
export async function findBootGrant(db: Database, id: string): Promise<BootGrant | undefined> {
  const { rows } = await sql<BootGrant>`
    select id, address, reported_at is not null as "hasReported" from boot_grants
    where id = ${id} and ${isOfOpenInstallation}`.execute(db)
  return rows[0]
}

/** Whether a client with this address may have fetched the boot script of the grant. */
export function coversAddress(grant: BootGrant, address: string): boolean {
  return grant.address === address || grant.address === otherAddresses
}

/** Whether the computer is still being installed, and no other address has asked for its boot script. */
export async function isUncontestedGrant(db: Database, id: string, address: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from boot_grants
    where id = ${id} and address = coalesce(${address}, address) and ${isOfOpenInstallation}
      and not ${isContested}`.execute(db)
  return rows.length > 0
}

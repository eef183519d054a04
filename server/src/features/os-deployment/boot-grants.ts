import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** What one address may do for a computer while the computer is activated for PXE. */
export type BootGrant = {
  id: string
  /** The address that asked for the boot script. */
  address: string
  /** Whether the installer has reported with this grant. From then on, the address gets the script for the disk. */
  hasReported: boolean
}

/**
 * An attacker with a network of addresses must not fill the table. It is as many as a person is shown. Computers that have fetched
 * their script before are not affected.
 */
export const maxBootGrants = 1_000

/**
 * Finds or inserts the grant of an address. Every address that asks gets one, because nobody can know which of them is
 * the computer: if the first one excluded the others, anyone who knows the MAC address could keep the computer from being
 * installed. Undefined if the computer is not activated, or if too many addresses have asked.
 */
export async function ensureBootGrant(
  db: Database,
  computerId: number,
  address: string,
): Promise<BootGrant | undefined> {
  const { rows } = await sql<BootGrant>`
    insert into boot_grants (computer_id, activation_id, address)
    select computer_id, id, ${address} from activations
    where computer_id = ${computerId} and pxe and (
      exists (select from boot_grants own where own.computer_id = ${computerId} and own.address = ${address})
      or (select count(*) from boot_grants other where other.computer_id = ${computerId}) < ${maxBootGrants})
    order by id limit 1
    on conflict on constraint boot_grants_computer_id_address_key do update set address = excluded.address
    returning id, address, reported_at is not null as "hasReported"`.execute(db)
  return rows[0]
}

/** Undefined when the activation of the grant has ended. */
export async function findBootGrant(db: Database, id: string): Promise<BootGrant | undefined> {
  const { rows } = await sql<BootGrant>`
    select id, address, reported_at is not null as "hasReported" from boot_grants where id = ${id}`.execute(db)
  return rows[0]
}

/** Whether the computer is still being installed, and no other address has asked for its boot script. */
export async function isUncontestedGrant(db: Database, id: string, address: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from boot_grants where id = ${id} and address = coalesce(${address}, address) and not exists (
      select from boot_grants other where other.computer_id = boot_grants.computer_id and other.id <> boot_grants.id)`.execute(
    db,
  )
  return rows.length > 0
}

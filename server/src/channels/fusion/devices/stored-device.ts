import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { isOpenWork } from '../../../features/work-states/work-states.ts'
import { credentialColumns, type DeviceCredentials, isOwnDevice } from './device-proof.ts'

/** What is known about a computer that identifies it. */
export type StoredIdentity = {
  /** Null also if several computers have the same: then it identifies none of them. */
  uuid: string | null
  serial_number: string | null
  name: string | null
  domain: string | null
  /** The MAC addresses of all adapters, without separators and in lower case. */
  mac_keys: string[]
}

/** A device with the identity of its computer. */
export type StoredDevice = StoredIdentity & { id: number; computer_id: number | null; has_refresh: boolean }

/** The columns of `StoredIdentity` for the row `computer` of `computers`. */
const identityColumns = (computer: string): RawBuilder<StoredIdentity> => {
  const column = (name: string) => sql.ref(`${computer}.${name}`)
  return sql`case when not exists (
      select from computers other where other.uuid = ${column('uuid')} and other.id <> ${column('id')}) then ${column('uuid')} end as uuid,
    ${column('name')}, ${column('domain')},
    (select serial_number from bios_records where computer_id = ${column('id')}) as serial_number,
    array(select ${column('mac_key')} where ${column('mac_key')} is not null union
      select lower(replace(mac_address, ':', '')) from network_adapters
      where computer_id = ${column('id')} and mac_address is not null) as mac_keys`
}

const hasOpenRefresh = (computerId: string): RawBuilder<boolean> => sql`exists (
  select from work where computer_id = ${sql.ref(computerId)} and kind = 'Refresh' and ${isOpenWork('state')})`

const areSectionsStored = (hashes: string, computerId: string): RawBuilder<boolean> => sql`not exists (
  select from jsonb_each_text(${sql.ref(hashes)}) as reported
    left join inventory_sections stored on stored.computer_id = ${sql.ref(computerId)} and stored.section = reported.key
  where encode(stored.hash, 'hex') is distinct from reported.value)`

const confirmations = preparedStatement((db, inventory: string) =>
  sql<ConfirmedDevice>`
    with device as materialized (
      select d.id, d.computer_id, d.has_base and c.inventory_at > now() - interval '1 day'
        and ${areSectionsStored('presented.hashes', 'd.computer_id')} and not ${hasOpenRefresh('d.computer_id')} as is_confirmed
      from jsonb_to_record(${inventory}::jsonb) as presented(${credentialColumns}, hashes jsonb)
        join fusion_devices d on ${isOwnDevice('d', 'presented')}
        left join computers c on c.id = d.computer_id
    ), confirmed as (
      update fusion_devices d set stored_at = now(), is_inventory_due = false
      from device where d.id = device.id and device.is_confirmed
    )
    select id, computer_id, coalesce(is_confirmed, false) as is_confirmed from device`.compile(db),
)

export type ConfirmedDevice = { id: number; computer_id: number | null; is_confirmed: boolean }

/**
 * Finds the device that sends an inventory. When the hashes of all sections are stored already, it also records the
 * arrival of the inventory, and nothing else is left to do. Returns undefined when no device has this id and proof, or
 * its enrolment was revoked.
 */
export async function confirmStoredInventory(
  db: Database,
  inventory: DeviceCredentials & { hashes: Record<string, string | null> },
): Promise<ConfirmedDevice | undefined> {
  const [device] = await confirmations(db, JSON.stringify(inventory))
  return device
}

/** Finds and locks the device so that the inventories of one agent are stored one after the other. */
export async function lockDevice(db: Database, credentials: DeviceCredentials): Promise<StoredDevice | undefined> {
  const { rows } = await sql<StoredDevice>`
    select d.id, d.computer_id, ${hasOpenRefresh('d.computer_id')} as has_refresh, ${identityColumns('c')}
    from jsonb_to_record(${JSON.stringify(credentials)}::jsonb) as presented(${credentialColumns})
      join fusion_devices d on ${isOwnDevice('d', 'presented')}
      left join computers c on c.id = d.computer_id
    for no key update of d`.execute(db)
  return rows[0]
}

/** Copies of one agent with their disk share a device, which then enrols for several computers. */
const maxCopies = 1000

/** The computers for which the device with this key has enrolled. */
export async function listEnrolledComputers(
  db: Database,
  keyHash: Buffer,
): Promise<(StoredIdentity & { computer_id: number })[]> {
  const { rows } = await sql<StoredIdentity & { computer_id: number }>`
    select c.id as computer_id, ${identityColumns('c')}
    from agents a join computers c on c.id = a.computer_id
    where a.enrolment_key_hash = ${keyHash} order by c.id limit ${sql.lit(maxCopies)}`.execute(db)
  return rows
}

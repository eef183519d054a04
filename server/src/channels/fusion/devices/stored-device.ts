import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { isOpenWork } from '../../../features/work-states/work-states.ts'
import { canConnectWith, credentialColumns, type DeviceCredentials } from './can-connect.ts'

/** A device with the identity of its computer. */
export type StoredDevice = {
  id: number
  computer_id: number | null
  uuid: string | null
  serial_number: string | null
  name: string | null
  domain: string | null
  /** The MAC addresses of all adapters, without separators and in lower case. */
  mac_keys: string[]
  has_refresh: boolean
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
        join fusion_devices d on d.device_id = presented."deviceId"
        left join computers c on c.id = d.computer_id
      where ${canConnectWith('d', 'presented')}
    ), confirmed as (
      update fusion_devices d set stored_at = now(), is_inventory_due = false
      from device where d.id = device.id and device.is_confirmed
    )
    select id, computer_id, coalesce(is_confirmed, false) as is_confirmed from device`.compile(db),
)

export type ConfirmedDevice = { id: number; computer_id: number | null; is_confirmed: boolean }

/**
 * Finds the device that sends an inventory. When the hashes of all sections are stored already, it also records the
 * arrival of the inventory, and nothing else is left to do. Returns undefined when the device is unknown or may not
 * connect with this token or certificate.
 */
export async function confirmStoredInventory(
  db: Database,
  inventory: DeviceCredentials & { hashes: Record<string, string | null> },
): Promise<ConfirmedDevice | undefined> {
  const [device] = await confirmations(db, JSON.stringify(inventory))
  return device
}

/** Finds and locks the device, so that the inventories of one agent are stored one after the other. */
export async function lockDevice(db: Database, credentials: DeviceCredentials): Promise<StoredDevice | undefined> {
  const { rows } = await sql<StoredDevice>`
    select d.id, d.computer_id, c.uuid, c.name, c.domain, ${hasOpenRefresh('d.computer_id')} as has_refresh,
      (select serial_number from bios_records where computer_id = c.id) as serial_number,
      array(select c.mac_key where c.mac_key is not null union
        select lower(replace(mac_address, ':', '')) from network_adapters
        where computer_id = c.id and mac_address is not null) as mac_keys
    from jsonb_to_record(${JSON.stringify(credentials)}::jsonb) as presented(${credentialColumns})
      join fusion_devices d on d.device_id = presented."deviceId"
      left join computers c on c.id = d.computer_id
    where ${canConnectWith('d', 'presented')}
    for no key update of d`.execute(db)
  return rows[0]
}

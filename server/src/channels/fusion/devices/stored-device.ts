import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { mayEnter } from './contact-statement.ts'

/** A device with what is known of its computer. */
export type StoredDevice = {
  id: number
  computer_id: number | null
  uuid: string | null
  serial_number: string | null
  name: string | null
  domain: string | null
  /** Of all its adapters, without separators and in lower case. */
  mac_keys: string[]
  has_refresh: boolean
}

export type DeviceQuestion = { deviceId: string; tokenId: number; isOpen: boolean; certificateHash: string | null }

const saidColumns = sql`"deviceId" text, "tokenId" integer, "isOpen" boolean, "certificateHash" text, hashes jsonb`

const isLetIn = mayEnter(sql`said."tokenId"`, sql`said."isOpen"`, sql`decode(said."certificateHash", 'hex')`)

const isWaitedFor = sql`exists (
  select from work where computer_id = d.computer_id and kind = 'Refresh' and state in ('Due', 'Leased'))`

const isAllStored = sql`not exists (
  select from jsonb_each_text(said.hashes) as told
    left join inventory_sections stored on stored.computer_id = d.computer_id and stored.section = told.key
  where encode(stored.hash, 'hex') is distinct from told.value)`

const confirmations = preparedStatement((db, question: string) =>
  sql<ConfirmedDevice>`
    with device as materialized (
      select d.id, d.computer_id, d.has_base and c.inventory_at > now() - interval '1 day' and ${isAllStored}
        and not ${isWaitedFor} as is_confirmed
      from jsonb_to_record(${question}::jsonb) as said(${saidColumns})
        join fusion_devices d on d.device_id = said."deviceId"
        left join computers c on c.id = d.computer_id
      where ${isLetIn}
    ), noted as (
      update fusion_devices d set stored_at = now(), is_inventory_due = false
      from device where d.id = device.id and device.is_confirmed
    )
    select id, computer_id, coalesce(is_confirmed, false) as is_confirmed from device`.compile(db),
)

export type ConfirmedDevice = { id: number; computer_id: number | null; is_confirmed: boolean }

/**
 * The device that sends an inventory, and whether everything that it says is stored already, by the hash of each section.
 * Then that is all that has to be done. Undefined when it is not known, or comes through another door than it may.
 */
export async function confirmedDevice(
  db: Database,
  question: DeviceQuestion & { hashes: Record<string, string | null> },
): Promise<ConfirmedDevice | undefined> {
  const [device] = await confirmations(db, JSON.stringify(question))
  return device
}

/** The device, locked: the inventories of one agent are stored one after the other. */
export async function lockedDevice(db: Database, question: DeviceQuestion): Promise<StoredDevice | undefined> {
  const { rows } = await sql<StoredDevice>`
    select d.id, d.computer_id, c.uuid, c.name, c.domain, ${isWaitedFor} as has_refresh,
      (select serial_number from bios_records where computer_id = c.id) as serial_number,
      array(select c.mac_key where c.mac_key is not null union
        select lower(replace(mac_address, ':', '')) from network_adapters
        where computer_id = c.id and mac_address is not null) as mac_keys
    from jsonb_to_record(${JSON.stringify(question)}::jsonb) as said(${saidColumns})
      join fusion_devices d on d.device_id = said."deviceId"
      left join computers c on c.id = d.computer_id
    where ${isLetIn}
    for no key update of d`.execute(db)
  return rows[0]
}

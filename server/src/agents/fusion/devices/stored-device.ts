import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { prepared } from '../../../database/prepared-statements.ts'
import { mayEnter } from './contact-statement.ts'

/** A device with what is known of its computer. */
export type StoredDevice = {
  id: number
  computer_id: number | null
  has_base: boolean
  stored_at: Date | null
  uuid: string | null
  serial_number: string | null
  name: string | null
  domain: string | null
  /** Of all its adapters, without separators and in lower case. */
  mac_keys: string[]
  /** Section to hash, in hexadecimal digits. */
  hashes: Record<string, string>
  /** The date of the inventory has to move. */
  is_old: boolean
  has_refresh: boolean
}

export type DeviceQuestion = { deviceId: string; tokenId: number; isOpen: boolean; certificateHash: string | null }

const devices = prepared((db, question: string) => statement(question).compile(db))

const statement = (question: string) => sql<StoredDevice>`
  with said as materialized (
    select * from jsonb_to_record(${question}::jsonb)
      as said("deviceId" text, "tokenId" integer, "isOpen" boolean, "certificateHash" text)
  )
  select d.id, d.computer_id, d.has_base, d.stored_at, c.uuid, c.name, c.domain,
    (select serial_number from bios_records where computer_id = c.id) as serial_number,
    array(select c.mac_key where c.mac_key is not null union
      select lower(replace(mac_address, ':', '')) from network_adapters
      where computer_id = c.id and mac_address is not null) as mac_keys,
    (select coalesce(jsonb_object_agg(section, encode(hash, 'hex')), '{}') from inventory_sections
      where computer_id = c.id) as hashes,
    coalesce(c.inventory_at < now() - interval '1 day', true) as is_old,
    exists (
      select from work where computer_id = c.id and kind = 'Refresh' and state in ('Due', 'Leased')) as has_refresh
  from said
    join fusion_devices d on d.device_id = said."deviceId"
    left join computers c on c.id = d.computer_id
  where ${mayEnter(sql`said."tokenId"`, sql`said."isOpen"`, sql`decode(said."certificateHash", 'hex')`)}`

/** Undefined when it is not known, or comes through another door than it may. */
export async function storedDevice(db: Database, question: DeviceQuestion): Promise<StoredDevice | undefined> {
  const [device] = await devices(db, JSON.stringify(question))
  return device
}

/** Inventories of one agent are stored one after the other. */
export async function holdDevice(db: Database, deviceId: string): Promise<void> {
  await sql`select from fusion_devices where device_id = ${deviceId} for no key update`.execute(db)
}

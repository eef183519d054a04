import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { mayEnter } from '../devices/contact-statement.ts'
import type { DeviceQuestion } from '../devices/stored-device.ts'

/** A device that asks for work or tells of it. */
export type WorkingDevice = {
  id: number
  device_id: string
  computer_id: number
  run_id: string
  platform: string | null
  os_name: string | null
  os_version: string | null
  operating_system: string | null
  certificate_hash: Buffer | null
}

/** So long a device whose computer has become another one gets no work: nobody knows which of the two would do it. */
const daysOfDoubt = 7

const isUndoubted = sql`
  coalesce(d.computer_changed_at < now() - ${sql.lit(daysOfDoubt)} * interval '1 day', true)`

const devices = preparedStatement((db, id: number) =>
  sql<WorkingDevice>`
    select d.id, d.device_id, d.computer_id, d.run_id, d.certificate_hash, c.platform, c.os_name, c.os_version,
      (select operating_system from system_records where computer_id = c.id) as operating_system
    from fusion_devices d join computers c on c.id = d.computer_id
    where d.id = ${id} and ${isUndoubted}`.compile(db),
)

/** Undefined while it has no computer, or two. */
export async function workingDevice(db: Database, id: number): Promise<WorkingDevice | undefined> {
  const [device] = await devices(db, id)
  return device
}

const waiting = preparedStatement((db, question: string) =>
  sql<{ id: number }>`
    select d.id
    from jsonb_to_record(${question}::jsonb)
        as said("deviceId" text, "tokenId" integer, "isOpen" boolean, "certificateHash" text)
      join fusion_devices d on d.device_id = said."deviceId"
    where ${mayEnter(sql`said."tokenId"`, sql`said."isOpen"`, sql`decode(said."certificateHash", 'hex')`)}
      and ${isUndoubted} and exists (
        select from work
        where computer_id = d.computer_id and state in ('Due', 'Leased') and kind not in ('OperatingSystem', 'Refresh')
          and not_before <= now())`.compile(db),
)

/** The id of the device, if there is work for it. */
export async function deviceWithWork(db: Database, question: DeviceQuestion): Promise<number | undefined> {
  const [device] = await waiting(db, JSON.stringify(question))
  return device?.id
}

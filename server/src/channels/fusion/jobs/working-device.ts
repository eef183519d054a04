import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { isFrozen } from '../../../features/blast-radius/freeze.ts'
import { isOpenWork } from '../../../features/work-states/work-states.ts'
import { canConnectWith, credentialColumns, type DeviceCredentials } from '../devices/can-connect.ts'

/** A device that asks for jobs or reports about them. */
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

/**
 * A device that has changed its computer gets no work for this long: two computers may share its id, and it is unknown
 * which of them would do the work.
 */
const ambiguousIdentityDays = 7

const hasCertainIdentity = (computerChangedAt: string): RawBuilder<boolean> => sql`
  coalesce(${sql.ref(computerChangedAt)} < now() - ${sql.lit(ambiguousIdentityDays)} * interval '1 day', true)`

const workingDevices = preparedStatement((db, id: number) =>
  sql<WorkingDevice>`
    select d.id, d.device_id, d.computer_id, d.run_id, d.certificate_hash, c.platform, c.os_name, c.os_version,
      (select operating_system from system_records where computer_id = c.id) as operating_system
    from fusion_devices d join computers c on c.id = d.computer_id
    where d.id = ${id} and ${hasCertainIdentity('d.computer_changed_at')}`.compile(db),
)

/** Undefined while the device has no computer or its identity is ambiguous. */
export async function findWorkingDevice(db: Database, id: number): Promise<WorkingDevice | undefined> {
  const [device] = await workingDevices(db, id)
  return device
}

const devicesWithWork = preparedStatement((db, credentials: string) =>
  sql<{ id: number }>`
    select d.id
    from jsonb_to_record(${credentials}::jsonb) as presented(${credentialColumns})
      join fusion_devices d on d.device_id = presented."deviceId"
    where ${canConnectWith('d', 'presented')} and not ${isFrozen}
      and ${hasCertainIdentity('d.computer_changed_at')} and exists (
        select from work
        where computer_id = d.computer_id and ${isOpenWork('state')} and kind not in ('OperatingSystem', 'Refresh')
          and not_before <= now())`.compile(db),
)

/** The id of the device with these credentials, if work is due for it. */
export async function findDeviceWithWork(db: Database, credentials: DeviceCredentials): Promise<number | undefined> {
  const [device] = await devicesWithWork(db, JSON.stringify(credentials))
  return device?.id
}

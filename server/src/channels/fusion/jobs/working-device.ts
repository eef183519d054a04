import { type RawBuilder, sql } from 'kysely'
import { shareStatement } from '../../../database/batch-calls.ts'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { isFrozen } from '../../../features/blast-radius/freeze.ts'
import { isOpenWork } from '../../../features/work-states/work-states.ts'
import { isEnrolled } from '../devices/device-proof.ts'
import { isForOneDevice } from '../devices/presented-token.ts'
import type { AddressedDevice } from './job-address.ts'

/** A device that asks for jobs or reports about them. */
export type WorkingDevice = {
  id: number
  device_id: string
  computer_id: number
  run_id: string
  platform: string | null
  certificate_hash: Buffer | null
}

/**
 * A device that has changed its computer gets no work for this long: two computers may share its id, and it is unknown
 * which of them would do the work.
 */
const ambiguousIdentityDays = 7

const hasCertainIdentity = (computerChangedAt: string): RawBuilder<boolean> => sql`
  coalesce(${sql.ref(computerChangedAt)} < now() - ${sql.lit(ambiguousIdentityDays)} * interval '1 day', true)`

/** Whether nobody else knows the secrets with which the device asks for jobs; `token` is the row of its token. */
const hasOwnSecretStored = (device: string, token: string): RawBuilder<boolean> => sql`
  (${sql.ref(`${device}.certificate_hash`)} is not null or ${isForOneDevice(token)})`

const workingDevices = preparedStatement((db, address: string) =>
  sql<WorkingDevice>`
    select d.id, d.device_id, d.computer_id, d.run_id, d.certificate_hash, c.platform
    from jsonb_to_record(${address}::jsonb) as address(id integer, epoch integer)
      join fusion_devices d on d.id = address.id and d.address_epoch = address.epoch
      join enrolment_tokens token on token.id = d.enrolment_token_id and token.revoked_at is null
      join computers c on c.id = d.computer_id
    where ${isEnrolled('d')} and ${hasOwnSecretStored('d', 'token')}
      and ${hasCertainIdentity('d.computer_changed_at')}`.compile(db),
)

/** Undefined while the device has no computer or its identity is ambiguous, and after its secrets were revoked. */
export async function findWorkingDevice(db: Database, address: AddressedDevice): Promise<WorkingDevice | undefined> {
  const [device] = await workingDevices(db, JSON.stringify(address))
  return device
}

/** The secrets that a request for jobs presents. At least one of them belongs to one device alone. */
export type JobCredentials = {
  deviceId: string
  certificateHash: string | null
  /** The token of the address; null if several devices may have it. */
  ownTokenId: number | null
}

const devicesWithWork = preparedStatement((db, credentials: string) =>
  sql<AddressedDevice & { position: number }>`
    select presented.position, device.id, device.epoch
    from jsonb_to_recordset(${credentials}::jsonb)
        as presented(position integer, "deviceId" text, "certificateHash" text, "ownTokenId" integer)
      cross join lateral (
        select d.id, d.address_epoch as epoch from fusion_devices d
        where d.device_id = presented."deviceId" and case when d.certificate_hash is null
            then d.enrolment_token_id = presented."ownTokenId"
            else d.certificate_hash = decode(presented."certificateHash", 'hex') end
          and ${isEnrolled('d')} and not ${isFrozen} and ${hasCertainIdentity('d.computer_changed_at')} and exists (
            select from work
            where computer_id = d.computer_id and ${isOpenWork('state')} and kind not in ('OperatingSystem', 'Refresh')
              and not_before <= now())
        limit 1
      ) as device`.compile(db),
)

/** Finds the device with these credentials, if work is due for it. Concurrent requests share the statement. */
export const findDeviceWithWork = shareStatement((db) => ({
  async run(credentials: readonly JobCredentials[]): Promise<(AddressedDevice | undefined)[]> {
    const rows = await devicesWithWork(db, JSON.stringify(credentials.map((one, position) => ({ ...one, position }))))
    const byPosition = new Map(rows.map(({ position, id, epoch }) => [position, { id, epoch }]))
    return credentials.map((_, position) => byPosition.get(position))
  },
  isRepeatedWhenSlow: true,
}))

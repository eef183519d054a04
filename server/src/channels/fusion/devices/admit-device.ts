import { resourceBusy, tooManyRequests } from '../../../platform/general-problems.ts'
import type { FusionContext } from '../context.ts'
import { deviceNotAdmitted } from '../problems.ts'
import {
  type DeviceContactReport,
  type DeviceContactRow,
  insertDevice,
  recordDeviceContact,
} from './record-device-contact.ts'
import type { Sender } from './sender.ts'

/** Records the contact of a device. Inserts a device that is new, if its token still admits new devices. */
export async function admitDevice(
  { db, services }: FusionContext,
  sender: Sender,
  { hasInventoryTask, canRepeat }: { hasInventoryTask: boolean; canRepeat: boolean },
): Promise<DeviceContactRow> {
  const { token, kind, version, certificateHash } = sender
  const report: DeviceContactReport = {
    device_id: sender.deviceId,
    token_id: token.tokenId,
    is_open: token.isOpen,
    kind,
    version,
    certificate_hash: certificateHash?.toString('hex') ?? null,
    has_inventory_task: hasInventoryTask,
    can_repeat: canRepeat,
  }
  const existing = await recordDeviceContact(db, report)
  if (existing) return requireRecorded(existing)
  if (!token.isOpen) throw deviceNotAdmitted()
  const { exceeded, headers } = await services.enrolmentRateLimit.count([`address ${sender.address}`])
  if (exceeded) throw tooManyRequests().withHeaders(headers)
  await insertDevice(db, report)
  const inserted = await recordDeviceContact(db, report)
  if (!inserted) throw deviceNotAdmitted()
  return requireRecorded(inserted)
}

function requireRecorded(contact: DeviceContactRow): DeviceContactRow {
  if (!contact.is_recorded) throw resourceBusy().withHeaders({ 'retry-after': '2' })
  return contact
}

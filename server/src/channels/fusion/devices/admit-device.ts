import { countRequest } from '../../../platform/http/count-request.ts'
import { addressKey } from '../../../platform/load/rate-limit.ts'
import { recordContact } from '../../../platform/load/record-contact.ts'
import type { FusionContext } from '../context.ts'
import { deviceNotAdmitted } from '../problems.ts'
import { credentialsOf } from './device-proof.ts'
import { adoptProof, insertDevice } from './new-device.ts'
import { type DeviceContactReport, type DeviceContactRow, recordDeviceContact } from './record-device-contact.ts'
import type { Sender } from './sender.ts'

/** Records the contact of a device. Inserts a device that is new, if its token still admits new devices. */
export async function admitDevice(
  { db, services }: FusionContext,
  sender: Sender,
  { hasInventoryTask, canRepeat }: { hasInventoryTask: boolean; canRepeat: boolean },
): Promise<DeviceContactRow> {
  const { token, kind, version, address, request } = sender
  const report: DeviceContactReport = {
    ...credentialsOf(sender),
    token_id: token.tokenId,
    kind,
    version,
    has_inventory_task: hasInventoryTask,
    can_repeat: canRepeat,
  }
  const record = (changes = {}) => recordContact(() => recordDeviceContact(db, { ...report, ...changes }))
  const existing = await record()
  if (existing) return existing
  const adopted = await adoptProof(db, sender)
  if (!adopted) {
    if (!token.isOpen) throw deviceNotAdmitted()
    await countRequest(request, services.enrolmentRateLimit.count([addressKey(address)]))
    await insertDevice(db, sender)
  }
  const recorded = await record(adopted)
  if (!recorded) throw deviceNotAdmitted()
  return recorded
}

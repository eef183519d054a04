import { tooManyRequests } from '../../../platform/general-problems.ts'
import type { Channel } from '../context.ts'
import { notLetIn } from '../problems.ts'
import { type ContactRow, enterDevice, recordContact, type SaidAtContact } from './record-device-contact.ts'
import type { Sender } from './sender.ts'

/** Remembers the contact of an agent. One that is new is entered. */
export async function contactOf(
  { db, services }: Channel,
  sender: Sender,
  { hasInventoryTask, onlyGreets }: { hasInventoryTask: boolean; onlyGreets: boolean },
): Promise<ContactRow> {
  const { entrance, kind, version, certificateHash } = sender
  const said: SaidAtContact = {
    device_id: sender.deviceId,
    token_id: entrance.tokenId,
    is_open: entrance.isOpen,
    kind,
    version,
    certificate_hash: certificateHash?.toString('hex') ?? null,
    has_inventory_task: hasInventoryTask,
    only_greets: onlyGreets,
  }
  const known = await recordContact(db, said)
  if (known) return known
  if (!entrance.isOpen) throw notLetIn()
  const { exceeded, headers } = await services.enrolmentRateLimit.count([`address ${sender.address}`])
  if (exceeded) throw tooManyRequests().withHeaders(headers)
  await enterDevice(db, said)
  const entered = await recordContact(db, said)
  if (!entered) throw notLetIn()
  return entered
}

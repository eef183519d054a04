import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { type Enrolled, enrol } from '../../../features/enrolment/enrol.ts'
import { alreadyEnrolled } from '../../../features/enrolment/problems.ts'
import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'
import type { Inventory } from '../messages/read-report.ts'
import { noIdentity, notLetIn, sameName } from '../problems.ts'
import type { Sender } from './sender.ts'
import type { StoredDevice } from './stored-device.ts'

/** The computer that an inventory is of; undefined when the device is not known to be on this one. */
export function computerOf(device: StoredDevice, inventory: Inventory): number | undefined {
  return device.computer_id !== null && isSame(device, inventory) ? device.computer_id : undefined
}

/**
 * Lets a device in for the computer that its inventory is of: an agent says only there which one it is; and one that was
 * copied with its disk tells of another computer under the same id.
 */
export async function bindComputer(
  db: Database,
  keys: ServerKeys,
  sender: Sender,
  device: StoredDevice,
  { identity, platform }: Inventory,
): Promise<number> {
  if (device.computer_id !== null && hasSameName(device, identity)) throw sameName()
  if (identity.name === null) throw noIdentity()
  const enrolled = await enrol(db, keys, {
    ...identity,
    name: identity.name,
    version: sender.version ?? '',
    platform: platform ?? '',
    kind: sender.kind,
    tokenHash: sender.entrance.tokenHash,
    keyHash: keys.hashSecret(`fusion device ${device.id}`),
  })
  const computerId = clientIdOf(enrolled)
  await bind(db, device, computerId)
  return computerId
}

/** One thing in common is enough: parts of a computer are exchanged. Where nothing can be compared, the id counts. */
function isSame(device: StoredDevice, { identity, macAddresses }: Inventory): boolean {
  const known = new Set(device.mac_keys)
  const keys = macAddresses.map((mac) => mac.toLowerCase().replaceAll(':', ''))
  const compared = [
    agree(device.uuid, identity.uuid),
    agree(device.serial_number, identity.serialNumber),
    keys.length === 0 || known.size === 0 ? null : keys.some((key) => known.has(key)),
  ]
  if (compared.includes(true)) return true
  // Addresses alone change, where machines are made anew by their host.
  const [uuid, serialNumber, macAddress] = compared
  if (uuid === null && serialNumber === null && macAddress === false) return hasSameName(device, identity)
  return !compared.includes(false)
}

function agree(stored: string | null, said: string | null): boolean | null {
  return stored === null || said === null ? null : stored.toLowerCase() === said.toLowerCase()
}

function hasSameName(device: StoredDevice, { name, domain }: Inventory['identity']): boolean {
  return agree(device.name, name) === true && agree(device.domain, domain) === true
}

function clientIdOf(enrolled: Enrolled): number {
  if (enrolled === 'InvalidToken') throw notLetIn()
  if (enrolled === 'NoIdentity') throw noIdentity()
  if (enrolled === 'AlreadyEnrolled') throw alreadyEnrolled()
  return enrolled.clientId
}

async function bind(db: Database, device: StoredDevice, computerId: number): Promise<void> {
  const hasChanged = device.computer_id !== null
  await sql`
    update fusion_devices set computer_id = ${computerId}, has_base = false,
      computer_changed_at = case when ${hasChanged} then now() else computer_changed_at end
    where id = ${device.id}`.execute(db)
  await sql`
    insert into computer_contacts (computer_id, last_seen_at) values (${computerId}, now())
    on conflict on constraint computer_contacts_pkey do update set last_seen_at = excluded.last_seen_at`.execute(db)
  if (hasChanged) await noteClones(db, [computerId, device.computer_id ?? computerId])
}

/** The agents of both are shown as duplicates. */
export async function noteClones(db: Database, computerIds: readonly number[]): Promise<void> {
  await sql`
    with clones as (
      select computer_id from agents where computer_id = any(${computerIds}::integer[]) order by computer_id for no key update
    )
    update agents set duplicate_seen_at = now() from clones where agents.computer_id = clones.computer_id`.execute(db)
}

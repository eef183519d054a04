import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { recordDuplicateAgents } from '../../../features/agents/agent-state.ts'
import { upsertLastSeen } from '../../../features/agents/last-seen.ts'
import { type EnrolledAgent, type EnrolmentOutcome, enrol } from '../../../features/enrolment/enrol.ts'
import type { Enrolment } from '../../../features/enrolment/enrolment-audit.ts'
import { refusedEnrolment } from '../../../features/enrolment/enrolment-audit.ts'
import { alreadyEnrolled, quarantineFull } from '../../../features/enrolment/problems.ts'
import { confirmByEnrolment } from '../../../features/os-deployment/confirm-report.ts'
import type { Services } from '../../../platform/services.ts'
import type { Inventory } from '../messages/read-report.ts'
import { deviceNotAdmitted, duplicateIdentity, noIdentity } from '../problems.ts'
import type { Sender } from './sender.ts'
import { listEnrolledComputers, type StoredDevice, type StoredIdentity } from './stored-device.ts'

/** The computer of an inventory; undefined when the device is not bound to the computer that the inventory describes. */
export function findBoundComputer(device: StoredDevice, inventory: Inventory): number | undefined {
  return device.computer_id !== null && isSameComputer(device, inventory) ? device.computer_id : undefined
}

/**
 * Binds a device to the computer that its inventory describes. A device that has enrolled for this computer before needs
 * no token that is still open: a copy of it, which reported in between, must not lock it out. Returns undefined while the
 * agent is in quarantine; then the device is not bound.
 */
export async function bindComputer(
  db: Database,
  services: Services,
  sender: Sender,
  device: StoredDevice,
  inventory: Inventory,
): Promise<number | undefined> {
  const keyHash = services.keys.hashSecret(`fusion device ${device.id}`)
  const enrolled = device.computer_id === null ? [] : await listEnrolledComputers(db, keyHash)
  const own = enrolled.find(
    (computer) => hasSameName(computer, inventory.identity) && isSameComputer(computer, inventory),
  )
  const computerId = own?.computer_id ?? (await enrolComputer(db, services, sender, device, inventory, keyHash))
  // An enrolment has recorded the contact.
  if (own) await upsertLastSeen(own.computer_id).execute(db)
  if (computerId !== undefined) await recordBinding(db, device, computerId)
  return computerId
}

/**
 * Enrols a device for the computer that its inventory describes. Only the inventory identifies the computer: an agent
 * that was copied with its disk reports another computer under the same device id. Returns undefined while the agent is
 * in quarantine.
 */
async function enrolComputer(
  db: Database,
  services: Services,
  sender: Sender,
  device: StoredDevice,
  { identity, platform }: Inventory,
  keyHash: Buffer,
): Promise<number | undefined> {
  if (device.computer_id !== null && hasSameName(device, identity)) throw duplicateIdentity()
  if (identity.name === null) throw noIdentity()
  const enrolment: Enrolment = {
    ...identity,
    name: identity.name,
    version: sender.version ?? '',
    platform: platform ?? '',
    kind: sender.kind,
    tokenHash: sender.token.tokenHash,
    isCode: false,
    keyHash,
    installedComputerId: null,
    address: sender.address,
    requestId: `fusion device ${device.id}`,
  }
  const { clientId, isQuarantined } = requireEnrolled(enrolment, await enrol(db, services, enrolment))
  if (isQuarantined) return undefined
  await confirmByEnrolment(db, clientId)
  return clientId
}

/**
 * One matching property is enough, because parts of a computer are replaced. When nothing can be compared, the device id
 * decides.
 */
function isSameComputer(stored: StoredIdentity, { identity, macAddresses }: Inventory): boolean {
  const storedKeys = new Set(stored.mac_keys)
  const keys = macAddresses.map((mac) => mac.toLowerCase().replaceAll(':', ''))
  const comparisons = [
    compareTexts(stored.uuid, identity.uuid),
    compareTexts(stored.serial_number, identity.serialNumber),
    keys.length === 0 || storedKeys.size === 0 ? null : keys.some((key) => storedKeys.has(key)),
  ]
  if (comparisons.includes(true)) return true
  // MAC addresses alone prove nothing: hypervisors assign new ones when they recreate a machine.
  const [uuid, serialNumber, macAddress] = comparisons
  if (uuid === null && serialNumber === null && macAddress === false) return hasSameName(stored, identity)
  return !comparisons.includes(false)
}

/** Null when one of the two is unknown. */
function compareTexts(stored: string | null, reported: string | null): boolean | null {
  return stored === null || reported === null ? null : stored.toLowerCase() === reported.toLowerCase()
}

function hasSameName(stored: StoredIdentity, { name, domain }: Inventory['identity']): boolean {
  return compareTexts(stored.name, name) === true && compareTexts(stored.domain, domain) === true
}

function requireEnrolled(enrolment: Enrolment, outcome: EnrolmentOutcome): EnrolledAgent {
  if (outcome === 'InvalidToken') throw deviceNotAdmitted()
  if (outcome === 'NoIdentity') throw noIdentity()
  if (outcome === 'AlreadyEnrolled') throw alreadyEnrolled().withAudit(refusedEnrolment(enrolment, outcome))
  if (outcome === 'QuarantineFull') throw quarantineFull().withAudit(refusedEnrolment(enrolment, outcome))
  return outcome
}

/** The addresses for jobs that the device got for another computer end. */
async function recordBinding(db: Database, device: StoredDevice, computerId: number): Promise<void> {
  const hasChanged = device.computer_id !== null
  await sql`
    update fusion_devices set computer_id = ${computerId}, has_base = false, address_epoch = address_epoch + 1,
      computer_changed_at = case when ${hasChanged} then now() else computer_changed_at end
    where id = ${device.id}`.execute(db)
  if (hasChanged) await recordDuplicateAgents(db, [computerId, device.computer_id ?? computerId])
}

import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Report as SectionReport } from '../../../features/inventory/sections/section.ts'
import { storeSections, type ToldSection } from '../../../features/inventory/store-sections.ts'
import { Problem } from '../../../platform/problem.ts'
import { retryConflicts } from '../../../platform/steps.ts'
import type { Channel } from '../context.ts'
import { contactOf } from '../devices/admit-device.ts'
import { bindComputer, computerOf, noteClones } from '../devices/bind-computer.ts'
import type { Sender } from '../devices/sender.ts'
import { type ConfirmedDevice, confirmedDevice, type DeviceQuestion, lockedDevice } from '../devices/stored-device.ts'
import type { Inventory, Report } from '../messages/read-report.ts'
import type { WholeSection } from '../normalisation/normalise.ts'
import { noIdentity, notLetIn, sameName } from '../problems.ts'
import { completeSection } from './complete-section.ts'
import { finishRefresh } from './finish-refresh.ts'

/** Stores an inventory before the agent is answered. One that says nothing new costs a row of the device. */
export async function storeInventory(
  channel: Channel,
  sender: Sender,
  report: Report,
  inventory: Inventory,
): Promise<void> {
  const { db } = channel
  // An agent may send its inventory without a word before.
  const device = (await confirmed(db, sender, inventory)) ?? (await enteredDevice(channel, sender, inventory))
  if (device.is_confirmed) return
  try {
    const transact = <T>(work: (db: Database) => Promise<T>) => retryConflicts(() => db.transaction().execute(work))
    const store = (boundTo?: number) => transact((within) => storeChanges(within, sender, report, inventory, boundTo))
    if (device.computer_id !== null && (await store())) return
    // Apart, because all that come in by one secret wait for each other here.
    await store(await transact((within) => bind({ ...channel, db: within }, sender, inventory)))
  } catch (error) {
    const kind = error instanceof Problem ? error.kind : undefined
    if (kind === sameName && device.computer_id !== null) await noteClones(db, [device.computer_id])
    // It is not lost: without a base, the next contact asks for all of it.
    if (kind === noIdentity && report.isPartial) return noteStored(db, device, false)
    throw error
  }
}

function questionOf({ deviceId, entrance: { tokenId, isOpen }, certificateHash }: Sender): DeviceQuestion {
  return { deviceId, tokenId, isOpen, certificateHash: certificateHash?.toString('hex') ?? null }
}

/** A section of which only a part was said has no hash, and so is never the stored one. */
function confirmed(db: Database, sender: Sender, { sections: told }: Inventory): Promise<ConfirmedDevice | undefined> {
  const hashes = Object.fromEntries(told.map(({ name, hash }) => [name, hash]))
  return confirmedDevice(db, { ...questionOf(sender), hashes })
}

async function enteredDevice(channel: Channel, sender: Sender, inventory: Inventory): Promise<ConfirmedDevice> {
  await contactOf(channel, sender, { hasInventoryTask: true, onlyGreets: false })
  const device = await confirmed(channel.db, sender, inventory)
  if (!device) throw notLetIn()
  return device
}

async function bind({ db, services }: Channel, sender: Sender, inventory: Inventory): Promise<number> {
  const device = await lockedDevice(db, questionOf(sender))
  if (!device) throw notLetIn()
  return computerOf(device, inventory) ?? (await bindComputer(db, services.keys, sender, device, inventory))
}

/** Stores all that is new, unless the device is not bound to the computer that the inventory is of. */
async function storeChanges(
  db: Database,
  sender: Sender,
  report: Report,
  inventory: Inventory,
  boundTo?: number,
): Promise<boolean> {
  const device = await lockedDevice(db, questionOf(sender))
  if (!device) throw notLetIn()
  const computerId = device.computer_id === boundTo ? boundTo : computerOf(device, inventory)
  if (computerId === undefined) return false
  const told: WholeSection[] = []
  for (const section of inventory.sections) told.push(await completeSection(db, computerId, section))
  const changed = await storeSections(db, computerId, told.map(toldSection))
  if (inventory.bootAt || changed.has('system')) await noteAgent(db, computerId, inventory, told)
  await noteStored(db, device, !report.isPartial)
  if (device.has_refresh) await finishRefresh(db, computerId)
  return true
}

function toldSection({ name, hash, content }: WholeSection): ToldSection {
  const collectedAt = new Date()
  return {
    section: name,
    hash: Buffer.from(hash, 'hex'),
    collectedAt,
    report() {
      const parsed: unknown = JSON.parse(content)
      const head: SectionReport = { hash, collectedUtc: collectedAt }
      return Array.isArray(parsed) ? { ...head, items: parsed } : { ...head, item: parsed }
    },
  }
}

/** The clocks of computers tick a little different each time that they are asked. */
const bootToleranceSeconds = 10

async function noteAgent(
  db: Database,
  computerId: number,
  { bootAt }: Inventory,
  told: readonly WholeSection[],
): Promise<void> {
  const { platform, loggedOnUser } = JSON.parse(told.find(({ name }) => name === 'system')?.content ?? '{}')
  await sql`
    update agents a set platform = new.platform, boot_at = new.boot_at, logged_on_user = new.logged_on_user,
      is_reboot_required = a.is_reboot_required and new.boot_at is not distinct from a.boot_at,
      reboot_required_source = case when new.boot_at is not distinct from a.boot_at then a.reboot_required_source end,
      state_changed_at = now()
    from (
      select coalesce(${platform}::text, known.platform) as platform, ${loggedOnUser}::text as logged_on_user,
        case when abs(extract(epoch from known.boot_at - ${bootAt}::timestamptz)) <= ${sql.lit(bootToleranceSeconds)}
          then known.boot_at else coalesce(${bootAt}::timestamptz, known.boot_at) end as boot_at
      from agents known where known.computer_id = ${computerId}
    ) as new
    where a.computer_id = ${computerId}
      and (a.platform, a.boot_at, a.logged_on_user) is distinct from (new.platform, new.boot_at, new.logged_on_user)`.execute(
    db,
  )
}

async function noteStored(db: Database, { id }: { id: number }, isWhole: boolean): Promise<void> {
  await sql`update fusion_devices set stored_at = now(), is_inventory_due = false, has_base = has_base or ${isWhole}
    where id = ${id}`.execute(db)
}

import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { recordAgentState, recordDuplicateAgents } from '../../../features/agents/agent-state.ts'
import { lockAgent } from '../../../features/agents/lock-agent.ts'
import { auditAttempt } from '../../../features/audit/audit-trail.ts'
import type { SectionReport } from '../../../features/inventory/sections/section.ts'
import {
  type ReportedSection,
  storeSections,
  withdrawInapplicableWork,
} from '../../../features/inventory/store-sections.ts'
import { findStoredSecurity, findStoredSystem } from '../../../features/inventory/stored-reports.ts'
import { closeWork } from '../../../features/work-states/close-work.ts'
import { isOpenWork } from '../../../features/work-states/work-states.ts'
import { Problem } from '../../../platform/problem.ts'
import { retryConflicts } from '../../../platform/steps.ts'
import type { FusionContext } from '../context.ts'
import { admitDevice } from '../devices/admit-device.ts'
import { bindComputer, findBoundComputer } from '../devices/bind-computer.ts'
import { credentialsOf } from '../devices/device-proof.ts'
import type { Sender } from '../devices/sender.ts'
import { type ConfirmedDevice, confirmStoredInventory, lockDevice } from '../devices/stored-device.ts'
import type { AgentReport, Inventory } from '../messages/read-report.ts'
import { type CompleteSection, type NormalisedSection, toObjectSection } from '../normalisation/normalise.ts'
import { unknownSecurity } from '../normalisation/security.ts'
import { unknownSystem } from '../normalisation/system.ts'
import { deviceNotAdmitted, duplicateIdentity, inQuarantine, noIdentity } from '../problems.ts'

/** Stores an inventory before the agent gets its answer. An unchanged inventory updates only the row of the device. */
export async function storeInventory(
  context: FusionContext,
  sender: Sender,
  report: AgentReport,
  inventory: Inventory,
): Promise<void> {
  const { db } = context
  // An agent may send its inventory without a contact before it.
  const device = (await confirm(db, sender, inventory)) ?? (await admitAndConfirm(context, sender, inventory))
  if (device.is_confirmed) return
  try {
    const transact = <T>(work: (db: Database) => Promise<T>) => retryConflicts(() => db.transaction().execute(work))
    const store = (boundTo?: number) => transact((within) => storeChanges(within, sender, report, inventory, boundTo))
    if (device.computer_id !== null && (await store())) return
    // A transaction of its own, because it locks the token: all devices that enrol with the token wait for it.
    const boundTo = await transact((within) => bind({ ...context, db: within }, sender, inventory))
    if (boundTo === undefined) throw inQuarantine()
    await store(boundTo)
  } catch (error) {
    const kind = error instanceof Problem ? error.kind : undefined
    if (error instanceof Problem && error.attempt) await auditAttempt(db, error.attempt)
    if (kind === duplicateIdentity && device.computer_id !== null) await recordDuplicateAgents(db, [device.computer_id])
    // Nothing is lost: without a base, the next contact asks for a full inventory.
    if (kind === noIdentity && report.isPartial) return recordStored(db, device, false)
    throw error
  }
}

/** An incomplete section has no hash, so it never equals the stored one. */
function confirm(db: Database, sender: Sender, { sections }: Inventory): Promise<ConfirmedDevice | undefined> {
  const hashes = Object.fromEntries(sections.map(({ name, hash }) => [name, hash]))
  return confirmStoredInventory(db, { ...credentialsOf(sender), hashes })
}

async function admitAndConfirm(context: FusionContext, sender: Sender, inventory: Inventory): Promise<ConfirmedDevice> {
  await admitDevice(context, sender, { hasInventoryTask: true, canRepeat: false })
  const device = await confirm(context.db, sender, inventory)
  if (!device) throw deviceNotAdmitted()
  return device
}

async function bind(
  { db, services }: FusionContext,
  sender: Sender,
  inventory: Inventory,
): Promise<number | undefined> {
  const device = await lockDevice(db, credentialsOf(sender))
  if (!device) throw deviceNotAdmitted()
  return findBoundComputer(device, inventory) ?? (await bindComputer(db, services, sender, device, inventory))
}

/** Stores what has changed. Returns false when the device is not bound to the computer that the inventory describes. */
async function storeChanges(
  db: Database,
  sender: Sender,
  report: AgentReport,
  inventory: Inventory,
  boundTo?: number,
): Promise<boolean> {
  const device = await lockDevice(db, credentialsOf(sender))
  if (!device) throw deviceNotAdmitted()
  const computerId = device.computer_id === boundTo ? boundTo : findBoundComputer(device, inventory)
  if (computerId === undefined) return false
  const sections: CompleteSection[] = []
  for (const section of inventory.sections) sections.push(await completeSection(db, computerId, section))
  const { changed, isOtherPlatform } = await storeSections(db, computerId, sections.map(toReported))
  if (inventory.bootAt || changed.has('system')) {
    const { platform, loggedOnUser } = JSON.parse(sections.find(({ name }) => name === 'system')?.content ?? '{}')
    await recordAgentState(db, computerId, { platform, loggedOnUser, bootAt: inventory.bootAt })
  }
  await recordStored(db, device, !report.isPartial)
  if (device.has_refresh) await finishRefresh(db, computerId)
  if (isOtherPlatform) await withdrawInapplicableWork(db, computerId)
  return true
}

/** Parses the content only when it is needed. */
function toReported({ name, hash, content }: CompleteSection): ReportedSection {
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

/** Records that an inventory has arrived. A full one is the base for the partial ones that follow. */
async function recordStored(db: Database, { id }: { id: number }, isFull: boolean): Promise<void> {
  await sql`update fusion_devices set stored_at = now(), is_inventory_due = false, has_base = has_base or ${isFull}
    where id = ${id}`.execute(db)
}

/** Completes a section of a partial report with the stored values. */
async function completeSection(db: Database, computerId: number, section: NormalisedSection): Promise<CompleteSection> {
  const { name, hash, content } = section
  if (hash !== null) return { ...section, hash }
  const stored = name === 'system' ? await findStoredSystem(db, computerId) : await findStoredSecurity(db, computerId)
  // The hash depends on the order of the properties: the unknown report has them in the order of a full report.
  const unknown = name === 'system' ? unknownSystem : unknownSecurity
  return toObjectSection(name, { ...unknown, ...stored, ...JSON.parse(content) })
}

/**
 * Closes the work that asked for an inventory, because the inventory has arrived. These agents are never leased such
 * work: the answer to a contact asks them for the inventory.
 */
async function finishRefresh(db: Database, computerId: number): Promise<void> {
  await lockAgent(db, computerId)
  const target = sql`
    where computer_id = ${computerId} and kind = 'Refresh' and ${isOpenWork('state')} and not_before <= now()`
  await closeWork('Success', 'Agent', target).execute(db)
}

import { RequestRefused } from '../channel.ts'
import { at, patchesOf, phases } from '../fleet.ts'
import { epochOf, type SectionName, sectionHashes, sectionOf } from '../machines/inventory.ts'
import type { Machine } from '../machines/machine.ts'
import { patchScanOf } from '../machines/patches.ts'
import { ipAddressOf, loggedOnUserOf } from '../machines/sections/system.ts'
import type { Contact, ContactAnswer, PatchRollback } from '../protocol.ts'
import { isSilent, isSuspended, sendsInventory, startsEachItem } from '../traits.ts'
import { agentVersionOf } from './agent-update.ts'
import { platformNames } from './enrol.ts'
import { reportPreDownloads, takeUpcoming } from './pre-downloads.ts'
import { isScanDue } from './scan-times.ts'
import type { Task } from './task.ts'
import { actAsUser, removeByHand } from './users.ts'
import { currentStateOf, drawsFor, machineAt, ownTime, restart, runIdOf, senderOf, type World } from './world.ts'

const dayMs = 86_400_000
const nextStepMs = 10
/** The channel accepts no more in one contact. */
const maxResults = 20

/** Reports the state of the computer and accepts work items. Returns the pause before the next step. */
export async function contact(world: World, computer: number): Promise<number> {
  const { fleet, scenario, measurements, tasks } = world
  const number = at(fleet.number, computer)
  if (isSilent(scenario, number) && at(fleet.contacts, computer) > 0) return becomeSilent(world, computer)
  if (isRestartDue(world, computer)) {
    const downMs = scenario.reboots.downSeconds * 1000
    restart(world, computer, world.now() + downMs)
    return downMs
  }
  const machine = machineAt(world, computer)
  const sentAt = world.now()
  const answer = await world.channel.contact(senderOf(world, computer), buildContact(world, computer, machine))
  measurements.count('contacts')
  world.taken.delete(computer)
  // A clone gets the new credential with its original.
  if (answer.credential) fleet.credential[at(fleet.original, computer)] = answer.credential
  if (answer.settings) fleet.settings[computer] = fleet.settingsHashes.add(answer.settings.hash)
  await sendSections(world, computer, answer.sections as SectionName[])
  if (isScanDue(world, computer)) await sendPatchScan(world, computer)
  await actAsUser(world, computer)
  removeByHand(world, computer)
  fleet.contacts[computer] = at(fleet.contacts, computer) + 1
  const isAskedAgain = await takeUpcoming(world, computer, answer)
  const task = takeAnswer(world, tasks.get(computer), answer, sentAt)
  if (task.items.length > 0) {
    tasks.set(computer, task)
    fleet.phase[computer] = phases.working
    return nextStepMs
  }
  // A result that the server could not record stays for the next contact.
  if (task.unreported.length > 0) tasks.set(computer, task)
  else tasks.delete(computer)
  return isAskedAgain ? nextStepMs : nextContactPause(world, computer, answer)
}

/** The work that the computer has after a contact. */
function takeAnswer({ measurements }: World, before: Task | undefined, answer: ContactAnswer, sentAt: number): Task {
  const withdrawn = new Set(answer.withdrawn)
  const environment = answer.environment ?? before?.environment
  const recorded = new Map(answer.results?.map(({ workId, outcome }) => [workId, outcome]))
  for (const outcome of recorded.values()) if (outcome !== 'Accepted') measurements.count('results that came too late')
  if (withdrawn.size > 0) measurements.count('work that was taken back', withdrawn.size)
  return {
    items: [...answer.work, ...(before?.items ?? []).filter(({ workId }) => !withdrawn.has(workId))],
    ...(environment && { environment }),
    mayBeginUntil: sentAt + (answer.beginWithinSeconds ?? 0) * 1000,
    bundlesResults: answer.beginWithinSeconds !== undefined,
    unreported: (before?.unreported ?? []).filter(({ workId }) => !recorded.has(workId)),
  }
}

function becomeSilent({ fleet }: World, computer: number): number {
  fleet.phase[computer] = phases.silent
  return Number.POSITIVE_INFINITY
}

/**
 * Whether a planned restart has come due since the computer last started. Each computer has a restart time of its own in
 * each period, independent of the times of its contacts.
 */
function isRestartDue(world: World, computer: number): boolean {
  const { perDay } = world.scenario.reboots
  // A computer that has just enrolled first sends everything about itself.
  if (perDay === 0 || at(world.fleet.contacts, computer) === 0) return false
  const { startedAt } = world.plan
  const period = dayMs / perDay
  const now = world.now()
  const part = Math.floor((now - startedAt) / period)
  const last = Math.max(world.beganAt, at(world.fleet.bootedAt, computer))
  return [part - 1, part].some((one) => {
    const time = startedAt + (one + drawsFor(world, computer, 'restart', one).next()) * period
    return time > last && time <= now
  })
}

/** The interval of the scenario varies by up to this share. */
const intervalVariation = 0.1

function nextContactPause(world: World, computer: number, { nextContactSeconds }: ContactAnswer): number {
  const { intervalSeconds } = world.scenario.contact
  if (intervalSeconds === null) return nextContactSeconds * 1000
  const draws = drawsFor(world, computer, 'interval', at(world.fleet.contacts, computer))
  return intervalSeconds * 1000 * (1 - intervalVariation + 2 * intervalVariation * draws.next())
}

function buildContact(world: World, computer: number, machine: Machine): Contact {
  const { fleet, plan, scenario } = world
  const current = currentStateOf(world, computer)
  const { epoch } = epochOf(plan, machine, 1, current)
  const address = epochOf(plan, machine, 3, current)
  const isRebootRequired = at(fleet.isRebootRequired, computer) === 1
  const taken = world.taken.get(computer)
  const { items = [], unreported = [] } = world.tasks.get(computer) ?? {}
  const preDownloads = reportPreDownloads(world, computer)
  // The result of a trial is reported by a request of its own.
  const bundled = unreported.filter(({ result }) => !result.trial)
  const results = bundled.slice(0, maxResults).map(({ workId, result }) => ({ workId, ...result }))
  return {
    runId: runIdOf(world, computer),
    agentVersion: agentVersionOf(world, computer),
    platform: platformNames[machine.platform],
    environment: 'OperatingSystem',
    bootTimeUtc: ownTime(world, computer, at(fleet.bootedAt, computer)),
    rebootRequired: isRebootRequired,
    rebootRequiredSource: isRebootRequired ? rebootSources[machine.platform] : null,
    suspension: isSuspended(scenario, machine.number) ? suspensionOf(machine.number, current.now) : null,
    loggedOnUser: loggedOnUserOf(plan, machine, epoch),
    ipAddress: ipAddressOf(plan, machine, address.epoch),
    settingsHash: fleet.settingsHashes.text(at(fleet.settings, computer)) || null,
    sections: sendsInventory(scenario, machine.number) ? sectionHashes(plan, machine, current) : {},
    wants: taken === undefined ? [] : [taken],
    emptyHanded: items.length === 0 && results.length === unreported.length,
    canRotateCredential: true,
    canStartAtContact: !startsEachItem(scenario, machine.number),
    ...(world.isConnected(computer) && { connected: true }),
    ...(results.length > 0 && { results }),
    ...(items.length > 0 && {
      inProgress: items.map(({ workId, attempt }) => ({ workId, attempt, percent: null })),
    }),
    ...(preDownloads && { preDownloads }),
  }
}

const rebootSources = {
  windows: 'Windows Update',
  linux: '/var/run/reboot-required',
  macos: 'Software Update',
} as const

const hourMs = 3_600_000

const suspensionModes = ['Suspended', 'PresentationMode', 'MaintenanceMode'] as const

/** Presentations end by themselves, in an hour or so. */
function suspensionOf(number: number, now: number): Contact['suspension'] {
  const mode = suspensionModes[number % suspensionModes.length] ?? 'Suspended'
  return { mode, untilUtc: mode === 'PresentationMode' ? new Date(now + hourMs).toISOString() : null }
}

export async function sendSections(world: World, computer: number, names: readonly SectionName[]): Promise<void> {
  if (names.length === 0) return
  const machine = machineAt(world, computer)
  if (!sendsInventory(world.scenario, machine.number)) return
  const current = currentStateOf(world, computer)
  const hashes = sectionHashes(world.plan, machine, current)
  const collectedUtc = ownTime(world, computer, current.now)
  const reports = names.map((name) => {
    const report = { hash: hashes[name], collectedUtc, ...sectionOf(world.plan, machine, name, current) }
    return [name, report] as const
  })
  try {
    await world.channel.inventory(senderOf(world, computer), Object.fromEntries(reports))
    world.measurements.count('sections', names.length)
  } catch (error) {
    // The channel has counted the error. A refused inventory does not stop the computer.
    if (!(error instanceof RequestRefused)) throw error
  }
}

export async function sendPatchScan(
  world: World,
  computer: number,
  rollbacks: readonly PatchRollback[] = [],
): Promise<void> {
  const { fleet } = world
  const machine = machineAt(world, computer)
  const scan = patchScanOf(world.plan, machine, patchesOf(fleet, computer), world.now())
  const scannedUtc = ownTime(world, computer, world.now())
  await world.channel.patchScan(senderOf(world, computer), {
    ...scan,
    scannedUtc,
    ...(rollbacks.length > 0 && { rollbacks: [...rollbacks] }),
  })
  fleet.scannedAt[computer] = world.now()
  world.measurements.count('patch scans')
}

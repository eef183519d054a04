import { isLeaseLost } from '../channel.ts'
import { addPatches, hasPackage, phases, removePatches, setPackage } from '../fleet.ts'
import { sectionNamesOf } from '../machines/inventory.ts'
import { findRollbackObstacle } from '../machines/patches.ts'
import type { PatchRollback, WorkItem, WorkResult } from '../protocol.ts'
import { hashOf } from '../random.ts'
import { agentVersionOf, isAgentUpdate, restartAgent, toFailedUpdate } from './agent-update.ts'
import { sendPatchScan, sendSections } from './contact.ts'
import { fetchFiles } from './files.ts'
import { commandLines, decideOutcome, type Outcome, plainOutcome } from './outcome.ts'
import { hasOpenProgram, toWorkChoices } from './people.ts'
import type { Attempt, Task, UnreportedResult } from './task.ts'
import { toTrialOutcome } from './trial.ts'
import { drawsFor, machineAt, ownTime, restart, runIdOf, senderOf, type World } from './world.ts'

const nextStepMs = 10
const hourMs = 3_600_000

/** Takes the next step with the leased work. Returns the pause before the next step. */
export async function work(world: World, computer: number): Promise<number> {
  const task = world.tasks.get(computer)
  if (!task) return goOnWithContact(world, computer)
  const single = task.unreported.find(
    ({ restartSeconds, result }) => restartSeconds || result.trial || !task.bundlesResults,
  )
  if (single) return reportResult(world, computer, task, single)
  if (task.current) return continueAttempt(world, computer, task, task.current)
  const [item] = task.items
  if (!item || mustMakeContact(world, task, item)) return goOnWithContact(world, computer)
  return startItem(world, computer, task, item)
}

/** A contact reports the results. What the computer still has to do stays in its task. */
function goOnWithContact({ tasks, fleet }: World, computer: number): number {
  const task = tasks.get(computer)
  if (task?.items.length === 0 && task.unreported.length === 0) tasks.delete(computer)
  fleet.phase[computer] = phases.contacting
  return nextStepMs
}

/** Results do not wait longer than this for other work. */
const maxResultWaitMs = 5_000

/** Whether results have waited long enough, or the time is over in which the work may begin without a confirmation. */
function mustMakeContact(world: World, { unreported, mayBeginUntil }: Task, { content }: WorkItem): boolean {
  const [oldest] = unreported
  if (!oldest) return false
  return world.now() > oldest.finishedAt + maxResultWaitMs || (content !== undefined && world.now() > mayBeginUntil)
}

async function startItem(world: World, computer: number, task: Task, item: WorkItem): Promise<number> {
  const sender = { ...senderOf(world, computer), traceparent: item.traceparent }
  try {
    const reason = findReasonToWait(world, computer, item)
    if (reason) {
      const untilUtc = new Date(world.now() + hourMs).toISOString()
      const choices = toWorkChoices(world, computer, item, reason)
      const waiting = reason === 'Later' ? {} : { reason }
      await world.channel.postpone(sender, item.workId, { attempt: item.attempt, untilUtc, ...waiting, ...choices })
      world.measurements.count('postponements')
      task.items.shift()
      return nextStepMs
    }
    const { attempt, workId } = item
    const atHand = findContent(world, task, item)
    const started = atHand ?? (await world.channel.start(sender, workId, { attempt, runId: runIdOf(world, computer) }))
    if (world.scenario.work.downloadsFiles) await fetchFiles(world, sender, workId, started)
    task.items.shift()
    const patches = {
      patches: started.patches.map(({ key }) => key),
      rollbacks: ('rollbacks' in started && started.rollbacks) || [],
    }
    const isUpdate = isAgentUpdate(started)
    task.current = { ...newAttempt(world, computer, item, patches), isAgentUpdate: isUpdate, isStartKnown: !atHand }
    return task.current.durationMs / 2
  } catch (error) {
    if (!isLeaseLost(error)) throw error
    world.measurements.count('work that was taken back')
    task.items.shift()
    return nextStepMs
  }
}

/** The content of the work that came with the contact, while the work may begin without a request. */
function findContent(world: World, { environment, mayBeginUntil }: Task, { content }: WorkItem) {
  if (!content || !environment || world.now() > mayBeginUntil) return undefined
  return { ...content, ...environment, patches: [] }
}

/** Why the work waits for the person at the computer, by an hour; undefined if it does not. */
function findReasonToWait(world: World, computer: number, item: WorkItem): 'Later' | 'ProgramsOpen' | undefined {
  if (hasOpenProgram(world, item, workDraws(world, computer, 'open program', item))) return 'ProgramsOpen'
  return shouldPostpone(world, computer, item) ? 'Later' : undefined
}

function shouldPostpone(world: World, computer: number, { postponable, forced, ...item }: WorkItem): boolean {
  if (forced || postponable.remaining === 0) return false
  if (postponable.untilUtc && Date.parse(postponable.untilUtc) < world.now() + hourMs) return false
  return workDraws(world, computer, 'postponement', item).happens(world.scenario.work.postponementRate)
}

/** The draws depend on the package and the attempt, but not on the id of the work item. Runs thus decide the same. */
function workDraws(
  world: World,
  computer: number,
  purpose: string,
  item: Pick<WorkItem, 'package' | 'kind' | 'attempt'>,
) {
  const subject = item.package ? `${item.package.name} ${item.package.version}` : ''
  return drawsFor(world, computer, purpose, hashOf(`${subject} ${item.kind} ${item.attempt}`))
}

function newAttempt(world: World, computer: number, item: WorkItem, patches: Pick<Attempt, 'patches' | 'rollbacks'>) {
  const { minimumSeconds, maximumSeconds, interruptionRate } = world.scenario.work
  const draws = workDraws(world, computer, 'work', item)
  return {
    item,
    startedAt: world.now(),
    durationMs: 1000 * (minimumSeconds + draws.next() * (maximumSeconds - minimumSeconds)),
    isHalfway: false,
    isInterrupted: draws.happens(interruptionRate),
    ...patches,
  }
}

async function continueAttempt(world: World, computer: number, task: Task, attempt: Attempt): Promise<number> {
  if (attempt.isHalfway) {
    await finishAttempt(world, computer, task, attempt)
    return 0
  }
  if (attempt.isInterrupted) {
    const downMs = world.scenario.reboots.downSeconds * 1000
    world.measurements.count('work that was interrupted')
    restart(world, computer, world.now() + downMs)
    return downMs
  }
  attempt.isHalfway = true
  // A short attempt is soon over: its result is enough.
  if (!attempt.isStartKnown && attempt.durationMs < minReportedMs) return attempt.durationMs / 2
  const { workId, attempt: number, traceparent } = attempt.item
  const report = { attempt: number, percent: 50, message: 'Half done' }
  try {
    const { cancelled } = await world.channel.progress({ ...senderOf(world, computer), traceparent }, workId, report)
    if (cancelled) return dropCurrent(world, task)
  } catch (error) {
    if (!isLeaseLost(error)) throw error
    return dropCurrent(world, task)
  }
  return attempt.durationMs / 2
}

/** An attempt that the contact has started reports its progress only if it takes as long as this. */
const minReportedMs = 10_000

function dropCurrent(world: World, task: Task): number {
  delete task.current
  world.measurements.count('work that was taken back')
  return nextStepMs
}

/** Applies the effects of the work to the computer, and keeps the result until the server accepts it. */
async function finishAttempt(world: World, computer: number, task: Task, attempt: Attempt): Promise<void> {
  const { item, patches, rollbacks } = attempt
  const machine = machineAt(world, computer)
  const times = {
    startedUtc: ownTime(world, computer, attempt.startedAt),
    finishedUtc: ownTime(world, computer, world.now()),
  }
  const outcome = outcomeOf(world, computer, attempt, times)
  // A package for another operating system has no command line, because it is refused before its command runs.
  if (attempt.isAgentUpdate && outcome.commandLine !== null) await restartAgent(world, computer, task, item, outcome)
  const isSuccess = outcome.status === 'Success'
  if (item.kind === 'Refresh' || (isSuccess && item.package?.kind === 'InventoryScan'))
    await sendSections(world, computer, sectionNamesOf(machine))
  if (isSuccess && item.package?.kind === 'PatchFix') addPatches(world.fleet, computer, patches)
  const reports = isSuccess && item.package?.kind === 'PatchFix' ? rollBack(world, computer, rollbacks) : []
  if (item.kind === 'Refresh' || /^Patch/.test(item.package?.kind ?? '')) await sendPatchScan(world, computer, reports)
  if (item.kind === 'Refresh') world.fleet.settings[computer] = 0
  if (isSuccess && item.package?.kind === 'Software' && item.kind !== 'Trial')
    setPackage(world.fleet, computer, item.package.name, item.package.version, item.kind !== 'Uninstall')
  if (outcome.rebootRequired) world.fleet.isRebootRequired[computer] = 1
  world.measurements.count(isSuccess ? 'work that succeeded' : 'work that failed')
  delete task.current
  const downSeconds = item.power && restartSecondsAfter(world, item.power.action)
  task.unreported.push({
    workId: item.workId,
    result: { attempt: item.attempt, ...outcome, ...times, ...toWorkChoices(world, computer, item, 'Now') },
    finishedAt: world.now(),
    ...(downSeconds && { restartSeconds: downSeconds }),
  })
}

/** Rolls patches back where the computer can, and returns what its next scan says about them. */
function rollBack(world: World, computer: number, rollbacks: Attempt['rollbacks']): PatchRollback[] {
  const reports = rollbacks.map(({ patchId, productId, key }) => {
    const reason = findRollbackObstacle(world.plan, machineAt(world, computer), key)
    return {
      patchId,
      productId,
      key,
      outcome: reason === null ? ('RolledBack' as const) : ('Refused' as const),
      reason,
    }
  })
  const done = reports.filter(({ outcome }) => outcome === 'RolledBack').map(({ key }) => key)
  removePatches(world.fleet, computer, done)
  world.measurements.count('patches that were rolled back', done.length)
  return reports.map(({ key: _, ...report }) => report)
}

function outcomeOf(
  world: World,
  computer: number,
  { item, isAgentUpdate: isUpdate }: Attempt,
  times: Pick<WorkResult, 'startedUtc' | 'finishedUtc'>,
): Outcome {
  if (!item.package) return plainOutcome
  const outcome = decideOutcome({
    item,
    work: world.scenario.work,
    machine: machineAt(world, computer),
    draws: workDraws(world, computer, 'outcome', item),
    wasInstalled: hasPackage(world.fleet, computer, item.package.name),
  })
  if (item.kind === 'Trial') {
    const { platform } = machineAt(world, computer)
    const uninstallLine = commandLines[platform]({ ...item, kind: 'Uninstall' })
    const draws = workDraws(world, computer, 'leftovers', item)
    return toTrialOutcome({ outcome, uninstallLine, platform, draws, times })
  }
  const hasFailedInCommand = outcome.status === 'Failed' && outcome.commandLine !== null
  return isUpdate && hasFailedInCommand ? toFailedUpdate(outcome, item, agentVersionOf(world, computer)) : outcome
}

/** How long the computer is down after a power action, or 0. A computer that was shut down starts again later. */
function restartSecondsAfter({ scenario }: World, action: string): number {
  const { downSeconds } = scenario.reboots
  return action === 'Reboot' ? downSeconds : action === 'Shutdown' ? downSeconds * 10 : 0
}

async function reportResult(world: World, computer: number, task: Task, reported: UnreportedResult): Promise<number> {
  const { workId, result, restartSeconds } = reported
  const { accepted } = await world.channel.result(senderOf(world, computer), workId, result)
  task.unreported.splice(task.unreported.indexOf(reported), 1)
  if (!accepted) world.measurements.count('results that came too late')
  if (!accepted || !restartSeconds) return nextStepMs
  restart(world, computer, world.now() + restartSeconds * 1000)
  return restartSeconds * 1000
}

import { isLeaseLost } from '../channel.ts'
import { addPatches, hasPackage, phases, setPackage } from '../fleet.ts'
import { sectionNamesOf } from '../machines/inventory.ts'
import type { WorkItem } from '../protocol.ts'
import { hashOf } from '../random.ts'
import { sendPatchScan, sendSections } from './contact.ts'
import { fetchFiles } from './files.ts'
import { decideOutcome, plainOutcome } from './outcome.ts'
import type { Attempt, Task } from './task.ts'
import { drawsFor, machineAt, ownTime, restart, runIdOf, senderOf, type World } from './world.ts'

const nextStepMs = 10
const hourMs = 3_600_000

/** Takes the next step with the leased work. Returns the pause before the next step. */
export async function work(world: World, computer: number): Promise<number> {
  const task = world.tasks.get(computer)
  if (task?.unreported) return reportResult(world, computer, task)
  if (task?.current) return continueAttempt(world, computer, task, task.current)
  const [item] = task?.items ?? []
  if (task && item) return startItem(world, computer, task, item)
  world.tasks.delete(computer)
  world.fleet.phase[computer] = phases.contacting
  return nextStepMs
}

async function startItem(world: World, computer: number, task: Task, item: WorkItem): Promise<number> {
  const sender = senderOf(world, computer)
  try {
    if (shouldPostpone(world, computer, item)) {
      const untilUtc = new Date(world.now() + hourMs).toISOString()
      await world.channel.postpone(sender, item.workId, { attempt: item.attempt, untilUtc })
      world.measurements.count('postponements')
      task.items.shift()
      return nextStepMs
    }
    const { attempt, workId } = item
    const started = await world.channel.start(sender, workId, { attempt, runId: runIdOf(world, computer) })
    if (world.scenario.work.downloadsFiles) await fetchFiles(world, sender, workId, started)
    task.items.shift()
    task.current = newAttempt(
      world,
      computer,
      item,
      started.patches.map(({ key }) => key),
    )
    return task.current.durationMs / 2
  } catch (error) {
    if (!isLeaseLost(error)) throw error
    world.measurements.count('work that was taken back')
    task.items.shift()
    return nextStepMs
  }
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

function newAttempt(world: World, computer: number, item: WorkItem, patches: string[]): Attempt {
  const { minimumSeconds, maximumSeconds, interruptionRate } = world.scenario.work
  const draws = workDraws(world, computer, 'work', item)
  return {
    item,
    startedAt: world.now(),
    durationMs: 1000 * (minimumSeconds + draws.next() * (maximumSeconds - minimumSeconds)),
    isHalfway: false,
    isInterrupted: draws.happens(interruptionRate),
    patches,
  }
}

async function continueAttempt(world: World, computer: number, task: Task, attempt: Attempt): Promise<number> {
  if (attempt.isHalfway) {
    await finishAttempt(world, computer, task, attempt)
    return reportResult(world, computer, task)
  }
  if (attempt.isInterrupted) {
    const downMs = world.scenario.reboots.downSeconds * 1000
    world.measurements.count('work that was interrupted')
    restart(world, computer, world.now() + downMs)
    return downMs
  }
  const { workId, attempt: number } = attempt.item
  const report = { attempt: number, percent: 50, message: 'Half done' }
  try {
    const { cancelled } = await world.channel.progress(senderOf(world, computer), workId, report)
    if (cancelled) return dropCurrent(world, task)
  } catch (error) {
    if (!isLeaseLost(error)) throw error
    return dropCurrent(world, task)
  }
  attempt.isHalfway = true
  return attempt.durationMs / 2
}

function dropCurrent(world: World, task: Task): number {
  delete task.current
  world.measurements.count('work that was taken back')
  return nextStepMs
}

/** Applies the effects of the work to the computer, and keeps the result until the server accepts it. */
async function finishAttempt(world: World, computer: number, task: Task, attempt: Attempt): Promise<void> {
  const { item, patches } = attempt
  const machine = machineAt(world, computer)
  const outcome = item.package
    ? decideOutcome({
        item,
        work: world.scenario.work,
        machine,
        draws: workDraws(world, computer, 'outcome', item),
        wasInstalled: hasPackage(world.fleet, computer, item.package.name),
      })
    : plainOutcome
  const isSuccess = outcome.status === 'Success'
  if (item.kind === 'Refresh' || (isSuccess && item.package?.kind === 'InventoryScan'))
    await sendSections(world, computer, sectionNamesOf(machine))
  if (isSuccess && item.package?.kind === 'PatchFix') addPatches(world.fleet, computer, patches)
  if (item.kind === 'Refresh' || /^Patch/.test(item.package?.kind ?? '')) await sendPatchScan(world, computer)
  if (item.kind === 'Refresh') world.fleet.settings[computer] = 0
  if (isSuccess && item.package?.kind === 'Software')
    setPackage(world.fleet, computer, item.package.name, item.package.version, item.kind !== 'Uninstall')
  if (outcome.rebootRequired) world.fleet.isRebootRequired[computer] = 1
  world.measurements.count(isSuccess ? 'work that succeeded' : 'work that failed')
  delete task.current
  const times = {
    startedUtc: ownTime(world, computer, attempt.startedAt),
    finishedUtc: ownTime(world, computer, world.now()),
  }
  const downSeconds = item.power && restartSecondsAfter(world, item.power.action)
  task.unreported = {
    workId: item.workId,
    result: { attempt: item.attempt, ...outcome, ...times },
    ...(downSeconds && { restartSeconds: downSeconds }),
  }
}

/** How long the computer is down after a power action, or 0. A computer that was shut down starts again later. */
function restartSecondsAfter({ scenario }: World, action: string): number {
  const { downSeconds } = scenario.reboots
  return action === 'Reboot' ? downSeconds : action === 'Shutdown' ? downSeconds * 10 : 0
}

async function reportResult(world: World, computer: number, task: Task): Promise<number> {
  const { unreported } = task
  if (!unreported) return nextStepMs
  const { accepted } = await world.channel.result(senderOf(world, computer), unreported.workId, unreported.result)
  delete task.unreported
  if (!accepted) world.measurements.count('results that came too late')
  if (!accepted || !unreported.restartSeconds) return nextStepMs
  restart(world, computer, world.now() + unreported.restartSeconds * 1000)
  return unreported.restartSeconds * 1000
}

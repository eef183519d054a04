import { isNotHeld } from '../channel.ts'
import { addPatches, hasPackage, phases, setPackage } from '../fleet.ts'
import { sectionNamesOf } from '../machines/inventory.ts'
import type { WorkOrder } from '../protocol.ts'
import { hashOf } from '../random.ts'
import { sendPatchScan, sendSections } from './contact.ts'
import { fetchFiles } from './files.ts'
import { outcomeOf, plainOutcome } from './outcome.ts'
import type { Attempt, Task } from './task.ts'
import { drawsFor, lineOf, machineAt, ownTime, restart, runIdOf, type World } from './world.ts'

const soonMs = 10
const hourMs = 3_600_000

/** Goes one step on with what the computer was handed; returns after how long to go on. */
export async function work(world: World, computer: number): Promise<number> {
  const task = world.tasks.get(computer)
  if (task?.untold) return tell(world, computer, task)
  if (task?.current) return goOn(world, computer, task, task.current)
  const [order] = task?.orders ?? []
  if (task && order) return begin(world, computer, task, order)
  world.tasks.delete(computer)
  world.fleet.phase[computer] = phases.contacting
  return soonMs
}

async function begin(world: World, computer: number, task: Task, order: WorkOrder): Promise<number> {
  const line = lineOf(world, computer)
  try {
    if (isPutOff(world, computer, order)) {
      const untilUtc = new Date(world.now() + hourMs).toISOString()
      await world.channel.postpone(line, order.workId, { attempt: order.attempt, untilUtc })
      world.measurements.count('postponements')
      task.orders.shift()
      return soonMs
    }
    const { attempt, workId } = order
    const started = await world.channel.start(line, workId, { attempt, runId: runIdOf(world, computer) })
    if (world.scenario.work.downloadsFiles) await fetchFiles(world, line, workId, started)
    task.orders.shift()
    task.current = attemptOf(
      world,
      computer,
      order,
      started.patches.map(({ key }) => key),
    )
    return task.current.lasts / 2
  } catch (error) {
    if (!isNotHeld(error)) throw error
    world.measurements.count('work that was taken back')
    task.orders.shift()
    return soonMs
  }
}

function isPutOff(world: World, computer: number, { postponable, forced, ...order }: WorkOrder): boolean {
  if (forced || postponable.remaining === 0) return false
  if (postponable.untilUtc && Date.parse(postponable.untilUtc) < world.now() + hourMs) return false
  return workDraws(world, computer, 'postponement', order).happens(world.scenario.work.postponementRate)
}

/** The same package in the same attempt is always decided in the same way, under whatever number the server knows it. */
function workDraws(
  world: World,
  computer: number,
  purpose: string,
  order: Pick<WorkOrder, 'package' | 'kind' | 'attempt'>,
) {
  const subject = order.package ? `${order.package.name} ${order.package.version}` : ''
  return drawsFor(world, computer, purpose, hashOf(`${subject} ${order.kind} ${order.attempt}`))
}

function attemptOf(world: World, computer: number, order: WorkOrder, patches: string[]): Attempt {
  const { minimumSeconds, maximumSeconds, interruptionRate } = world.scenario.work
  const draws = workDraws(world, computer, 'work', order)
  return {
    order,
    startedAt: world.now(),
    lasts: 1000 * (minimumSeconds + draws.next() * (maximumSeconds - minimumSeconds)),
    isHalfway: false,
    isInterrupted: draws.happens(interruptionRate),
    patches,
  }
}

async function goOn(world: World, computer: number, task: Task, attempt: Attempt): Promise<number> {
  if (attempt.isHalfway) {
    await finish(world, computer, task, attempt)
    return tell(world, computer, task)
  }
  if (attempt.isInterrupted) {
    const downMs = world.scenario.reboots.downSeconds * 1000
    world.measurements.count('work that was interrupted')
    restart(world, computer, world.now() + downMs)
    return downMs
  }
  const { workId, attempt: number } = attempt.order
  const report = { attempt: number, percent: 50, message: 'Half of it is done' }
  try {
    const { cancelled } = await world.channel.progress(lineOf(world, computer), workId, report)
    if (cancelled) return giveBack(world, task)
  } catch (error) {
    if (!isNotHeld(error)) throw error
    return giveBack(world, task)
  }
  attempt.isHalfway = true
  return attempt.lasts / 2
}

function giveBack(world: World, task: Task): number {
  delete task.current
  world.measurements.count('work that was taken back')
  return soonMs
}

/** Does to the computer what the work does, and keeps the result until the server knows it. */
async function finish(world: World, computer: number, task: Task, attempt: Attempt): Promise<void> {
  const { order, patches } = attempt
  const machine = machineAt(world, computer)
  const outcome = order.package
    ? outcomeOf({
        order,
        work: world.scenario.work,
        machine,
        draws: workDraws(world, computer, 'outcome', order),
        wasInstalled: hasPackage(world.fleet, computer, order.package.name),
      })
    : plainOutcome
  const isSuccess = outcome.status === 'Success'
  if (order.kind === 'Refresh' || (isSuccess && order.package?.kind === 'InventoryScan'))
    await sendSections(world, computer, sectionNamesOf(machine))
  if (isSuccess && order.package?.kind === 'PatchFix') addPatches(world.fleet, computer, patches)
  if (order.kind === 'Refresh' || /^Patch/.test(order.package?.kind ?? '')) await sendPatchScan(world, computer)
  if (order.kind === 'Refresh') world.fleet.settings[computer] = 0
  if (isSuccess && order.package?.kind === 'Software')
    setPackage(world.fleet, computer, order.package.name, order.package.version, order.kind !== 'Uninstall')
  if (outcome.rebootRequired) world.fleet.isRebootRequired[computer] = 1
  world.measurements.count(isSuccess ? 'work that succeeded' : 'work that failed')
  delete task.current
  const times = {
    startedUtc: ownTime(world, computer, attempt.startedAt),
    finishedUtc: ownTime(world, computer, world.now()),
  }
  const downSeconds = order.power && restartSeconds(world, order.power.action)
  task.untold = {
    workId: order.workId,
    result: { attempt: order.attempt, ...outcome, ...times },
    ...(downSeconds && { restartsFor: downSeconds }),
  }
}

/** How long the computer is down after this, or 0. A computer that was switched off is switched on again later. */
function restartSeconds({ scenario }: World, action: string): number {
  const { downSeconds } = scenario.reboots
  return action === 'Reboot' ? downSeconds : action === 'Shutdown' ? downSeconds * 10 : 0
}

async function tell(world: World, computer: number, task: Task): Promise<number> {
  const { untold } = task
  if (!untold) return soonMs
  const { accepted } = await world.channel.result(lineOf(world, computer), untold.workId, untold.result)
  delete task.untold
  if (!accepted) world.measurements.count('results that came too late')
  if (!accepted || !untold.restartsFor) return soonMs
  restart(world, computer, world.now() + untold.restartsFor * 1000)
  return untold.restartsFor * 1000
}

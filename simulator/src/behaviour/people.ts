import { epochOf } from '../machines/inventory.ts'
import { loggedOnUserOf } from '../machines/sections/system.ts'
import type { WorkChoice, WorkItem } from '../protocol.ts'
import type { Draws } from '../random.ts'
import { currentStateOf, machineAt, ownTime, type World } from './world.ts'

const hourMs = 3_600_000

/** What the agent reports of the person at a simulated computer about work with a deadline; nothing about other work. */
export function toWorkChoices(
  world: World,
  computer: number,
  { userDeadline }: WorkItem,
  choice: WorkChoice['choice'],
): { workChoices?: WorkChoice[] } {
  if (!userDeadline) return {}
  const machine = machineAt(world, computer)
  const { epoch } = epochOf(world.plan, machine, 1, currentStateOf(world, computer))
  const user = loggedOnUserOf(world.plan, machine, epoch)
  const programs = choice === 'ProgramsOpen' ? userDeadline.closePrograms : []
  return { workChoices: [{ choice, user, programs, atUtc: ownTime(world, computer, world.now()) }] }
}

/** Whether a program is open that the work would close, and the work waits for an hour. */
export function hasOpenProgram({ scenario, now }: World, { userDeadline }: WorkItem, draws: Draws): boolean {
  if (!userDeadline || userDeadline.closePrograms.length === 0) return false
  return Date.parse(userDeadline.deadlineUtc) > now() + hourMs && draws.happens(scenario.work.openProgramRate)
}

import { at } from '../fleet.ts'
import { drawsFor, type World } from './world.ts'

/** Whether the computer makes a patch scan by itself now: its first at once, later ones at times of its own. */
export function isScanDue(world: Pick<World, 'scenario' | 'plan' | 'fleet' | 'now'>, computer: number): boolean {
  const last = at(world.fleet.scannedAt, computer)
  if (last === 0) return true
  const period = world.scenario.patchScan.everyMinutes * 60_000
  const shift = drawsFor(world, computer, 'scan').next()
  const turn = (time: number) => Math.floor((time - world.plan.startedAt) / period + shift)
  return turn(world.now()) > turn(last)
}

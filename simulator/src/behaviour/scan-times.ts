import { at } from '../fleet.ts'
import { drawsFor, type World } from './world.ts'

/** Whether a patch scan is due: the first one at once, later ones once per period, at a time that differs per computer. */
export function isScanDue(world: Pick<World, 'scenario' | 'plan' | 'fleet' | 'now'>, computer: number): boolean {
  const last = at(world.fleet.scannedAt, computer)
  if (last === 0) return true
  const period = world.scenario.patchScan.everyMinutes * 60_000
  const offset = drawsFor(world, computer, 'scan').next()
  const periodOf = (time: number) => Math.floor((time - world.plan.startedAt) / period + offset)
  return periodOf(world.now()) > periodOf(last)
}

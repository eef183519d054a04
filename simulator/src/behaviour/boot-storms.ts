import { at, phases } from '../fleet.ts'
import { isAmong } from '../machines/machine.ts'
import { drawsFor, restart, type World } from './world.ts'

export type BootStorms = {
  /** Starts the storms that are due. Returns the computers that they hit. */
  strike(now: number): number[]
  /** Restarts a computer that was hit, once, and returns when it is up again. Returns undefined for other computers. */
  restartIfHit(computer: number): number | undefined
}

/** Boot storms: many computers start at once, for example after a power failure or on a Monday morning. */
export function openBootStorms(world: World, beganAt: number): BootStorms {
  const { fleet, scenario, measurements } = world
  const ahead = scenario.bootStorms
    .map((storm, occasion) => ({ ...storm, occasion }))
    .toSorted((a, b) => a.atSeconds - b.atSeconds)
  const boots = new Map<number, number>()

  const isOn = (computer: number) =>
    at(fleet.phase, computer) === phases.contacting || at(fleet.phase, computer) === phases.working

  return {
    strike(now) {
      const hit: number[] = []
      for (let storm = ahead[0]; storm && now >= beganAt + storm.atSeconds * 1000; storm = ahead[0]) {
        ahead.shift()
        measurements.count('boot storms')
        for (let computer = 0; computer < fleet.size; computer++) {
          if (!isOn(computer) || !isAmong(at(fleet.number, computer), storm.share, 28 + storm.occasion)) continue
          const spread = drawsFor(world, computer, 'storm', storm.occasion).next() * storm.withinSeconds * 1000
          boots.set(computer, now + spread)
          hit.push(computer)
        }
      }
      return hit
    },
    restartIfHit(computer) {
      const time = boots.get(computer)
      if (time === undefined) return undefined
      boots.delete(computer)
      restart(world, computer, time)
      return time
    },
  }
}

import { at, phases } from '../fleet.ts'
import { isAmong } from '../machines/machine.ts'
import { drawsFor, restart, type World } from './world.ts'

export type BootStorms = {
  /** The computers that a storm hits now. Each of them starts anew, as soon as it is asked when. */
  hitBy(now: number): number[]
  /** When a computer that was hit is up again, told once; undefined for others. */
  bootOf(computer: number): number | undefined
}

/** Many computers that are started at once, as after a power failure or on a Monday morning. */
export function bootStorms(world: World, beganAt: number): BootStorms {
  const { fleet, scenario, measurements } = world
  const ahead = scenario.bootStorms
    .map((storm, occasion) => ({ ...storm, occasion }))
    .toSorted((a, b) => a.atSeconds - b.atSeconds)
  const boots = new Map<number, number>()

  const isOn = (computer: number) =>
    at(fleet.phase, computer) === phases.contacting || at(fleet.phase, computer) === phases.working

  return {
    hitBy(now) {
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
    bootOf(computer) {
      const time = boots.get(computer)
      if (time === undefined) return undefined
      boots.delete(computer)
      restart(world, computer, time)
      return time
    },
  }
}

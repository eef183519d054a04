import { hash } from 'node:crypto'
import { Refused } from '../channel.ts'
import { at, kinds, phases } from '../fleet.ts'
import { asksForRestart } from '../traits.ts'
import { drawsFor, lineOf, machineAt, type World } from './world.ts'

const dayMs = 86_400_000
/** A refused agent does not ask again soon. */
const refusedPauseMs = 300_000
const clonePauseMs = 1_000

/** Exchanges the token for a credential; returns after how long to go on. */
export async function enrol(world: World, computer: number): Promise<number> {
  const { fleet } = world
  if (at(fleet.kind, computer) === kinds.clone) return wakeClone(world, computer)
  try {
    const { clientId, credential } = await world.channel.enrol(lineOf(world, computer), enrolmentOf(world, computer))
    fleet.clientId[computer] = clientId
    fleet.credential[computer] = credential
    begin(world, computer)
    world.measurements.count('enrolments')
    return 0
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'AlreadyEnrolled') throw error
    world.measurements.count('refused enrolments')
    return refusedPauseMs
  }
}

/** The image of a computer was copied after its agent was enrolled. */
function wakeClone(world: World, computer: number): number {
  const { fleet } = world
  const original = at(fleet.original, computer)
  if (!fleet.credential[original] || at(fleet.contacts, original) === 0) return clonePauseMs
  fleet.clientId[computer] = at(fleet.clientId, original)
  begin(world, computer)
  return 0
}

function begin(world: World, computer: number): void {
  const { fleet, now } = world
  fleet.phase[computer] = phases.contacting
  if (at(fleet.bootedAt, computer) > 0) return
  if (asksForRestart(world.scenario, at(fleet.number, computer))) fleet.isRebootRequired[computer] = 1
  fleet.bootedAt[computer] = now() - drawsFor(world, computer, 'first boot').next() * 20 * dayMs
}

function enrolmentOf(world: World, computer: number) {
  const { name, domain, uuid, mac, platform } = machineAt(world, computer)
  const number = at(world.fleet.number, computer)
  return {
    token: world.tokenOf(number),
    // The same in every run, so that a fleet whose state is lost comes in again as itself.
    enrolmentKey: hash('sha256', `muster simulator key ${world.plan.seed} ${number}`),
    computer: { name, domain, isDomain: true, uuid, macAddress: mac },
    agent: { version: agentVersion, platform: platformNames[platform] },
  }
}

export const agentVersion = '0.1.0'
export const platformNames = { windows: 'Windows', linux: 'Linux', macos: 'macOS' } as const

import { hash } from 'node:crypto'
import { RequestRefused } from '../channel.ts'
import { at, kinds, phases } from '../fleet.ts'
import { needsRebootInitially } from '../traits.ts'
import { agentVersionOf } from './agent-update.ts'
import { drawsFor, machineAt, senderOf, type World } from './world.ts'

const dayMs = 86_400_000
/** A refused agent retries rarely. */
const refusedPauseMs = 300_000
const clonePauseMs = 1_000

/** Exchanges the token for a credential. Returns the pause before the next step. */
export async function enrol(world: World, computer: number): Promise<number> {
  const { fleet } = world
  if (at(fleet.kind, computer) === kinds.clone) return startClone(world, computer)
  try {
    const { clientId, credential } = await world.channel.enrol(
      senderOf(world, computer),
      buildEnrolment(world, computer),
    )
    fleet.clientId[computer] = clientId
    fleet.credential[computer] = credential
    startContacts(world, computer)
    world.measurements.count('enrolments')
    return 0
  } catch (error) {
    if (!(error instanceof RequestRefused) || error.code !== 'AlreadyEnrolled') throw error
    world.measurements.count('refused enrolments')
    return refusedPauseMs
  }
}

/** A clone uses the credential of its original, as if its image had been copied after the enrolment. */
function startClone(world: World, computer: number): number {
  const { fleet } = world
  const original = at(fleet.original, computer)
  if (!fleet.credential[original] || at(fleet.contacts, original) === 0) return clonePauseMs
  fleet.clientId[computer] = at(fleet.clientId, original)
  startContacts(world, computer)
  return 0
}

function startContacts(world: World, computer: number): void {
  const { fleet, now } = world
  fleet.phase[computer] = phases.contacting
  if (at(fleet.bootedAt, computer) > 0) return
  if (needsRebootInitially(world.scenario, at(fleet.number, computer))) fleet.isRebootRequired[computer] = 1
  fleet.bootedAt[computer] = now() - drawsFor(world, computer, 'first boot').next() * 20 * dayMs
}

function buildEnrolment(world: World, computer: number) {
  const { name, domain, uuid, mac, platform } = machineAt(world, computer)
  const number = at(world.fleet.number, computer)
  return {
    token: world.tokenOf(number),
    // The key is the same in every run: a fleet that has lost its state can enrol again as itself.
    enrolmentKey: hash('sha256', `muster simulator key ${world.plan.seed} ${number}`),
    computer: { name, domain, isDomain: true, uuid, macAddress: mac },
    agent: { version: agentVersionOf(world, computer), platform: platformNames[platform] },
  }
}

export const platformNames = { windows: 'Windows', linux: 'Linux', macos: 'macOS' } as const

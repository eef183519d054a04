import { RequestRefused } from '../channel.ts'
import { at, packagesOf, setPackage } from '../fleet.ts'
import { uuidOf } from '../random.ts'
import { drawsFor, machineAt, ownTime, senderOf, type World } from './world.ts'

const requestTexts = ['A program to draw diagrams', 'The current Office', 'A recorder for meetings'] as const

/** After some contacts, the user looks at the software of the computer, and takes what is offered or asks for a package. */
export async function actAsUser(world: World, computer: number): Promise<void> {
  const { choiceRate } = world.scenario.users
  if (choiceRate === 0) return
  const draws = drawsFor(world, computer, 'user', at(world.fleet.contacts, computer))
  if (!draws.happens(choiceRate)) return
  const sender = senderOf(world, computer)
  try {
    const { software } = await world.channel.software(sender)
    const offer = software.find(({ state }) => state === 'Offered')
    const chosen = offer
      ? { kind: 'Taken' as const, packageId: offer.packageId }
      : { kind: 'Requested' as const, wish: draws.pick(requestTexts), reason: '' }
    const { login: user } = machineAt(world, computer).person
    const made = { choiceId: uuidOf(draws), user, atUtc: ownTime(world, computer, world.now()) }
    await world.channel.userChoices(sender, { choices: [{ ...made, ...chosen }] })
    if (offer) world.taken.set(computer, offer.packageId)
    world.measurements.count('choices of users')
  } catch (error) {
    // The channel has counted the error. An earlier server knows no users.
    if (!(error instanceof RequestRefused)) throw error
  }
}

/** After some contacts, the user removes software by hand. The next inventory lacks it, and the service has not asked for that. */
export function removeByHand(world: World, computer: number): void {
  const { removalRate } = world.scenario.users
  if (removalRate === 0) return
  const draws = drawsFor(world, computer, 'removal by hand', at(world.fleet.contacts, computer))
  const installed = packagesOf(world.fleet, computer)
  if (installed.length === 0 || !draws.happens(removalRate)) return
  const { name, version } = draws.pick(installed)
  setPackage(world.fleet, computer, name, version, false)
  world.measurements.count('removals by hand')
}

import { ExpectedError } from '../expected-error.ts'
import { wakeRunningAgent } from '../state/single-run.ts'
import { prepareStateFolder, stateFolder } from '../state/state-folder.ts'
import { addWant, readOffers } from '../state/wants.ts'

/** Lists the packages that somebody at this computer may take. */
export async function offers(path: string): Promise<void> {
  const list = await readOffers(stateFolder(path))
  if (list.length === 0) console.log('Nothing is offered.')
  for (const { packageId, name, version, untilUtc } of list)
    console.log(`${packageId}\t${name} ${version}${untilUtc ? `, until ${untilUtc}` : ''}`)
}

/** Asks for an offered package; the server hears of it at the next contact. */
export async function take(path: string, packageId: string): Promise<void> {
  const state = stateFolder(path)
  await prepareStateFolder(state)
  const offer = (await readOffers(state)).find((one) => String(one.packageId).toLowerCase() === packageId.toLowerCase())
  if (!offer) throw new ExpectedError(`No package ${packageId} is offered. 'offers' lists those that are.`)
  await addWant(state, offer.packageId)
  const isRunning = await wakeRunningAgent(state)
  console.log(`${offer.name} ${offer.version} is asked for${isRunning ? '' : '; the agent does not run now'}.`)
}

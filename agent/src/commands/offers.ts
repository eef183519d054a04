import { userInfo } from 'node:os'
import { visibleLine } from '@muster/text'
import { print } from '@muster/text/print'
import { ExpectedError } from '../expected-error.ts'
import { addRequestedPackage, readOffers } from '../state/requested-packages.ts'
import { wakeRunningAgent } from '../state/single-run.ts'
import { prepareStateFolder, type StateFolder } from '../state/state-folder.ts'
import { storeChoice } from '../state/user-choices.ts'

/** Lists the optional packages that a user of this computer may request. */
export async function offers(state: StateFolder): Promise<void> {
  const list = await readOffers(state)
  if (list.length === 0) print('No packages are offered.')
  for (const { packageId, name, version, untilUtc } of list)
    print(`${packageId}\t${visibleLine(`${name} ${version}`)}${untilUtc ? `, until ${untilUtc}` : ''}`)
}

/** Requests an optional package. The server learns of it at the next contact. */
export async function take(state: StateFolder, packageId: string): Promise<void> {
  await prepareStateFolder(state)
  const offer = (await readOffers(state)).find((one) => String(one.packageId).toLowerCase() === packageId.toLowerCase())
  if (!offer)
    throw new ExpectedError(`Package ${packageId} is not offered. Run 'offers' to list the optional packages.`)
  await addRequestedPackage(state, offer.packageId)
  await storeChoice(state, userInfo().username, { kind: 'Taken', packageId: offer.packageId })
  const isRunning = await wakeRunningAgent(state)
  print(
    `${visibleLine(`${offer.name} ${offer.version}`)} is requested${isRunning ? '' : '; the agent is not running'}.`,
  )
}

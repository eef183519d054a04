import { userInfo } from 'node:os'
import { print } from '@muster/text/print'
import { storePostponement } from '../state/postponement.ts'
import { prepareStateFolder, type StateFolder } from '../state/state-folder.ts'
import { storeChoice } from '../state/user-choices.ts'
import { parseUntil } from './parse-until.ts'

/** Postpones work that may be postponed; all other work continues. */
export async function postpone(state: StateFolder, until: string): Promise<void> {
  await prepareStateFolder(state)
  const untilUtc = parseUntil(until)
  const user = userInfo().username
  await storePostponement(state, new Date(untilUtc), user)
  await storeChoice(state, user, { kind: 'Postponed', untilUtc })
  print(`Work that may be postponed waits until ${untilUtc}.`)
}

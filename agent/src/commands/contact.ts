import { setTimeout as sleep } from 'node:timers/promises'
import { print } from '@muster/text/print'
import type { LastContact } from '../contact.ts'
import { ExpectedError } from '../expected-error.ts'
import { readStored } from '../state/durable-file.ts'
import { requireEnrolledIdentity } from '../state/identity.ts'
import { wakeRunningAgent } from '../state/single-run.ts'
import type { StateFolder } from '../state/state-folder.ts'

const maxWaitMs = 30_000
const lookMs = 100

/** Asks the running agent for a contact, and waits for it. */
export async function contactNow(state: StateFolder): Promise<void> {
  await requireEnrolledIdentity(state)
  const before = await readStored<LastContact>(state.contact)
  if (!(await wakeRunningAgent(state)))
    throw new ExpectedError("The agent is not running. 'run --once' makes a contact and does the work that is due.")
  const until = performance.now() + maxWaitMs
  while (performance.now() < until) {
    await sleep(lookMs)
    const last = await readStored<LastContact>(state.contact)
    if (last && last.contactUtc !== before?.contactUtc)
      return print(`Contact made at ${last.contactUtc}. The next one follows after ${last.nextContactSeconds} s.`)
  }
  throw new ExpectedError(
    'The agent has not made contact yet: it finishes its work first, or the server cannot be reached. Its log says which.',
  )
}

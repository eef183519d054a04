import type { LastContact } from '../contact.ts'
import { rebootSource } from '../machine/system-state.ts'
import { readStored } from '../state/durable-file.ts'
import { readIdentity } from '../state/identity.ts'
import { journal } from '../state/journal.ts'
import { readSettings } from '../state/settings.ts'
import { isAgentRunning } from '../state/single-run.ts'
import { prepareStateFolder, stateFolder } from '../state/state-folder.ts'
import { currentSuspension } from '../state/suspension.ts'
import { readOffers, readWants } from '../state/wants.ts'
import { agentVersion } from '../version.ts'

/** How this agent is, in lines for people. */
export async function status(path: string): Promise<void> {
  const state = stateFolder(path)
  await prepareStateFolder(state)
  const identity = await readIdentity(state)
  const contact = await readStored<LastContact>(state.contact)
  const suspension = await currentSuspension(state)
  const entries = await journal(state.journal).entries()
  const running = entries.filter(({ phase }) => phase === 'running').map(({ workId }) => workId)
  const untold = entries.filter(({ phase }) => phase === 'finished').map(({ workId }) => workId)
  const lines = {
    version: agentVersion,
    'state folder': state.root,
    enrolled: identity?.credential ? `with ${identity.server} as computer ${identity.clientId}` : 'no',
    running: (await isAgentRunning(state)) ? 'yes' : 'no',
    'last contact': contact ? `${contact.contactUtc}, next after ${contact.nextContactSeconds} s` : 'never',
    suspension: suspension ? `${suspension.mode} until ${suspension.untilUtc ?? 'somebody resumes it'}` : 'none',
    'reboot required by': (await rebootSource(state)) ?? 'nothing',
    'commands that run': running.join(', ') || 'none',
    'results to report': untold.join(', ') || 'none',
    offers: (await readOffers(state)).length,
    'asked for': (await readWants(state)).join(', ') || 'none',
    settings: JSON.stringify((await readSettings(state))?.values ?? {}),
  }
  for (const [name, value] of Object.entries(lines)) console.log(`${`${name}:`.padEnd(20)} ${value}`)
}

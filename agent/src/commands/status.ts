import { visibleLine } from '@muster/text'
import { print } from '@muster/text/print'
import type { LastContact } from '../contact.ts'
import { messageOf } from '../expected-error.ts'
import { formatKeyIds, readPinnedKeys } from '../signing/pinned-keys.ts'
import { readStored } from '../state/durable-file.ts'
import { readIdentity } from '../state/identity.ts'
import { openJournal } from '../state/journal.ts'
import { findRebootSource } from '../state/reboot-required.ts'
import { readOffers, readRequestedPackages } from '../state/requested-packages.ts'
import { readSettings } from '../state/settings.ts'
import { isAgentRunning } from '../state/single-run.ts'
import { prepareStateFolder, type StateFolder } from '../state/state-folder.ts'
import { findSuspension } from '../state/suspension.ts'
import { listWarnings } from '../state/warnings.ts'
import { agentVersion } from '../version.ts'

/** Prints the state of the agent. */
export async function status(state: StateFolder): Promise<void> {
  await prepareStateFolder(state)
  const identity = await readIdentity(state)
  const contact = await readStored<LastContact>(state.contact)
  const trusted = await readPinnedKeys(state).then(
    (pinned) => (pinned ? formatKeyIds(pinned.keys) : 'none, so packages need no signature'),
    messageOf,
  )
  const suspension = await findSuspension(state)
  const entries = await openJournal(state).entries()
  const running = entries.filter(({ phase }) => phase === 'running').map(({ workId }) => workId)
  const warnings = await listWarnings(state)
  const unreported = entries.filter(({ phase }) => phase === 'finished').map(({ workId }) => workId)
  const lines = {
    version: agentVersion,
    'state folder': state.root,
    enrolled: identity?.credential ? `with ${identity.server} as computer ${identity.clientId}` : 'no',
    running: (await isAgentRunning(state)) ? 'yes' : 'no',
    'last contact': contact ? `${contact.contactUtc}, next after ${contact.nextContactSeconds} s` : 'never',
    suspension: suspension ? `${suspension.mode} until ${suspension.untilUtc ?? 'it is resumed'}` : 'none',
    'reboot required by': (await findRebootSource(state)) ?? 'nothing',
    'running commands': running.join(', ') || 'none',
    'results to report': unreported.join(', ') || 'none',
    'waiting for people':
      warnings.map(({ workId, deadlineUtc }) => `${workId} until ${deadlineUtc}`).join(', ') || 'none',
    'trusted keys': trusted,
    offers: (await readOffers(state)).length,
    requested: (await readRequestedPackages(state)).join(', ') || 'none',
    settings: JSON.stringify((await readSettings(state))?.values ?? {}),
  }
  for (const [name, value] of Object.entries(lines)) print(visibleLine(`${`${name}:`.padEnd(20)} ${value}`))
}

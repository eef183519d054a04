import type { Agent } from './agent.ts'
import { messageOf } from './expected-error.ts'
import { collectSectionsOrNone, sendInventory } from './inventory-report.ts'
import { log } from './log.ts'
import { mainInterface } from './machine/computer.ts'
import { bootTime, findRebootSource, loggedOnUser } from './machine/system-state.ts'
import type { Contact, ContactAnswer } from './protocol.ts'
import { ServerUnavailable } from './server-client.ts'
import { pinKeysOfSettings } from './signing/pinned-keys.ts'
import { writeDurably } from './state/durable-file.ts'
import { replaceCredential } from './state/identity.ts'
import { readRequestedPackages, removeRequestedPackages, storeOffers } from './state/requested-packages.ts'
import { knownSettings, readSettings, storeSettings } from './state/settings.ts'
import { findSuspension } from './state/suspension.ts'
import { agentPlatform, agentVersion } from './version.ts'

/** The last contact, for `status`. */
export type LastContact = { contactUtc: string; nextContactSeconds: number }

/** Reports the state of the computer, stores the settings and offers of the answer, and sends the requested inventory. */
export async function contact(agent: Agent): Promise<ContactAnswer> {
  const { inventoryIntervalMinutes } = knownSettings(await readSettings(agent.state))
  const sections = await collectSectionsOrNone(agent, inventoryIntervalMinutes)
  const wants = await readRequestedPackages(agent.state)
  const report = await buildContact(agent, wants)
  const hashes = Object.fromEntries(Object.entries(sections).map(([name, { hash }]) => [name, hash]))
  const answer = requireContactAnswer(await agent.client.contact({ ...report, sections: hashes }, agent.stopping))
  await removeRequestedPackages(agent.state, wants)
  if (answer.quarantined) log('The agent is in quarantine: an administrator must confirm it before it gets work.')
  await storeOfferedCredential(agent, answer)
  // A full disk must not prevent the leased work, even if the agent can only report that it failed.
  await storeAnswer(agent, answer).catch((error: unknown) => log(`The answer could not be stored. ${messageOf(error)}`))
  if (answer.sections.length > 0) await sendInventory(agent, sections, answer.sections)
  return answer
}

/** Stores the next credential before it is used. If that fails, the current one stays valid and the server offers again. */
async function storeOfferedCredential({ state, credential }: Agent, answer: ContactAnswer): Promise<void> {
  if (typeof answer.credential !== 'string') return
  await replaceCredential(state, credential, answer.credential).then(
    () => log('The server has issued a new credential.'),
    (error: unknown) => log(`The new credential could not be stored. ${messageOf(error)}`),
  )
}

async function storeAnswer({ state }: Agent, { settings, offers, nextContactSeconds }: ContactAnswer): Promise<void> {
  if (settings) {
    await pinKeysOfSettings(state, knownSettings(settings))
    await storeSettings(state, settings)
    log(`New settings: ${Object.keys(settings.values).join(', ') || 'none'}`)
  }
  await storeOffers(state, offers)
  const last: LastContact = { contactUtc: new Date().toISOString(), nextContactSeconds }
  await writeDurably(state.contact, last)
}

async function buildContact(
  { state, journal, runId, environment, orders }: Agent,
  wants: Contact['wants'],
): Promise<Contact> {
  const rebootRequiredSource = await findRebootSource(state)
  const isInterrupted = (await journal.entries()).some(({ phase }) => phase === 'running')
  return {
    runId,
    agentVersion,
    platform: agentPlatform,
    environment,
    bootTimeUtc: (await bootTime()).toISOString(),
    rebootRequired: rebootRequiredSource !== null,
    rebootRequiredSource,
    suspension: await findSuspension(state),
    loggedOnUser: await loggedOnUser(),
    ipAddress: (await mainInterface()).ipAddress,
    settingsHash: (await readSettings(state))?.hash || null,
    sections: {},
    wants,
    emptyHanded: orders.length === 0 && !isInterrupted,
    canRotateCredential: true,
  }
}

/** A proxy may have answered instead of the server. */
function requireContactAnswer(answer: ContactAnswer): ContactAnswer {
  const isWhole =
    Array.isArray(answer?.work) &&
    Array.isArray(answer.offers) &&
    Array.isArray(answer.sections) &&
    Number.isFinite(answer.nextContactSeconds)
  if (isWhole) return answer
  throw new ServerUnavailable('The response does not come from a Muster server: it is not an answer to a contact.')
}

import type { Agent } from './agent.ts'
import { messageOf } from './expected-error.ts'
import { collectedSections, sendInventory } from './inventory-report.ts'
import { log } from './log.ts'
import { mainInterface } from './machine/computer.ts'
import { bootTime, loggedOnUser, rebootSource } from './machine/system-state.ts'
import type { Contact, ContactAnswer } from './protocol.ts'
import { ServerAway } from './server-client.ts'
import { writeDurably } from './state/durable-file.ts'
import { knownSettings, readSettings, storeSettings } from './state/settings.ts'
import { currentSuspension } from './state/suspension.ts'
import { readWants, removeWants, storeOffers } from './state/wants.ts'
import { agentPlatform, agentVersion } from './version.ts'

/** The last contact, for those who ask for the status. */
export type LastContact = { contactUtc: string; nextContactSeconds: number }

/** Tells the server how things are, and keeps what it says: settings, offers, and what it wants of the inventory. */
export async function contact(agent: Agent): Promise<ContactAnswer> {
  const { inventoryIntervalMinutes } = knownSettings(await readSettings(agent.state))
  const sections = await collectedSections(agent, inventoryIntervalMinutes)
  const wants = await readWants(agent.state)
  const report = await reportOf(agent, wants)
  const hashes = Object.fromEntries(Object.entries(sections).map(([name, { hash }]) => [name, hash]))
  const answer = checked(await agent.client.contact({ ...report, sections: hashes }, agent.stopping))
  await removeWants(agent.state, wants)
  // A full disk must not keep the agent from the work that it was just handed, be it only to say that it cannot do it.
  await keep(agent, answer).catch((error: unknown) => log(`The answer could not be stored. ${messageOf(error)}`))
  if (answer.sections.length > 0) await sendInventory(agent, sections, answer.sections)
  return answer
}

async function keep({ state }: Agent, { settings, offers, nextContactSeconds }: ContactAnswer): Promise<void> {
  if (settings) {
    await storeSettings(state, settings)
    log(`New settings: ${Object.keys(settings.values).join(', ') || 'none'}`)
  }
  await storeOffers(state, offers)
  const last: LastContact = { contactUtc: new Date().toISOString(), nextContactSeconds }
  await writeDurably(state.contact, last)
}

async function reportOf(
  { state, journal, runId, environment, orders }: Agent,
  wants: Contact['wants'],
): Promise<Contact> {
  const rebootRequiredSource = await rebootSource(state)
  const isInterrupted = (await journal.entries()).some(({ phase }) => phase === 'running')
  return {
    runId,
    agentVersion,
    platform: agentPlatform,
    environment,
    bootTimeUtc: (await bootTime()).toISOString(),
    rebootRequired: rebootRequiredSource !== null,
    rebootRequiredSource,
    suspension: await currentSuspension(state),
    loggedOnUser: await loggedOnUser(),
    ipAddress: (await mainInterface()).ipAddress,
    settingsHash: (await readSettings(state))?.hash || null,
    sections: {},
    wants,
    emptyHanded: orders.length === 0 && !isInterrupted,
  }
}

/** Something between may answer in place of the server. */
function checked(answer: ContactAnswer): ContactAnswer {
  const isWhole =
    Array.isArray(answer?.work) &&
    Array.isArray(answer.offers) &&
    Array.isArray(answer.sections) &&
    Number.isFinite(answer.nextContactSeconds)
  if (isWhole) return answer
  throw new ServerAway('What answered is not the server: the answer is not one to a contact.')
}

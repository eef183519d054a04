import type { Agent } from './agent.ts'
import { credentialPattern } from './answers/answers.ts'
import { messageOf } from './expected-error.ts'
import { collectSectionsOrNone, sendInventory } from './inventory/report.ts'
import { log } from './log.ts'
import type { Contact, ContactAnswer, ContactProgress } from './protocol.ts'
import { Refused } from './server-client.ts'
import { PinnedKeysLost, pinKeysOfSettings } from './signing/pinned-keys.ts'
import { writeDurably } from './state/durable-file.ts'
import { replaceCredential } from './state/identity.ts'
import { recordPresentation } from './state/presentation.ts'
import { findRebootSource } from './state/reboot-required.ts'
import { readRequestedPackages, removeRequestedPackages, storeOffers } from './state/requested-packages.ts'
import { type KnownSettings, knownSettings, readSettings, storeSettings } from './state/settings.ts'
import { findSuspension } from './state/suspension.ts'
import { reportChoices } from './state/user-choices.ts'
import { removeWarning } from './state/warnings.ts'
import { agentVersion } from './version.ts'
import { addLeasedItems, type LeasedItem, toContactTerms, toLeasedItems } from './work/leased-work.ts'
import { acknowledgeResults, removeLeasedItem, reportFinished, takeContactResults } from './work/results.ts'

/** A contact as servers of all versions know it. */
type PlainContact = Omit<Contact, 'canStartAtContact' | 'connected' | 'results' | 'inProgress' | 'preDownloads'>

/** The last contact, for `status`. */
export type LastContact = { contactUtc: string; nextContactSeconds: number }

/** Reports the state of the computer, stores the settings and offers of the answer, and sends the requested inventory. */
export async function contact(agent: Agent): Promise<ContactAnswer> {
  const { inventoryIntervalMinutes } = await applySettings(agent)
  const sections = await collectSectionsOrNone(agent, inventoryIntervalMinutes)
  const wants = await readRequestedPackages(agent.state)
  // On a full disk, the presentation is not recorded, but the contact still takes place.
  await recordPresentation(agent.state).catch((error: unknown) => log(messageOf(error)))
  const report = await buildContact(agent, wants)
  const hashes = Object.fromEntries(Object.entries(sections).map(([name, { hash }]) => [name, hash]))
  const answer = await exchange(agent, { ...report, sections: hashes })
  await removeRequestedPackages(agent.state, wants)
  await reportChoices(agent.state, agent.client, agent.stopping).catch((error: unknown) => log(messageOf(error)))
  if (answer.quarantined) log('The agent is in quarantine: an administrator must confirm it before it gets work.')
  await storeOfferedCredential(agent, answer)
  // A full disk must not prevent the leased work, even if the agent can only report that it failed.
  await storeAnswer(agent, answer).catch((error: unknown) => log(`The answer could not be stored. ${messageOf(error)}`))
  await applySettings(agent)
  agent.terms.hasUpcoming = await agent.preDownloads.accept(answer, agent.leasedItems).catch((error: unknown) => {
    log(`What the server announces could not be stored. ${messageOf(error)}`)
    return false
  })
  if (answer.sections.length > 0) await sendInventory(agent, sections, answer.sections)
  return answer
}

/** Settings with an effect at once, even on a download in progress. */
async function applySettings({ state, bandwidth }: Agent): Promise<KnownSettings> {
  const settings = knownSettings(await readSettings(state))
  bandwidth.setLimit(settings.maxDownloadKilobytesPerSecond)
  return settings
}

/** Sends the contact with what there is to report about work, and takes over the work that the answer brings. */
async function exchange(agent: Agent, report: PlainContact): Promise<ContactAnswer> {
  const { results, isComplete } = agent.terms.takesResults
    ? await takeContactResults(agent)
    : { results: [], isComplete: true }
  const inProgress = agent.terms.takesResults ? agent.leasedItems.map(toProgress) : []
  const preDownloads = await agent.preDownloads.reports()
  const extension = {
    canStartAtContact: true,
    // Otherwise the server would hand out again what is done and waits for its report.
    emptyHanded: report.emptyHanded && isComplete,
    // Only a server that knows the property has a wake channel.
    ...(agent.wakeChannel.isConnected() && { connected: true }),
    ...(results.length > 0 && { results }),
    ...(inProgress.length > 0 && { inProgress }),
    ...(preDownloads && { preDownloads }),
  }
  const [sentAt, sentAtTime] = [performance.now(), Date.now()]
  const answer = await sendContact(agent, report, extension)
  Object.assign(agent.terms, toContactTerms(answer, sentAt), { hasMoreResults: !isComplete })
  await acknowledgeResults(agent, results, answer)
  for (const workId of answer.withdrawn ?? []) {
    log(`Work ${workId} is skipped: the server has withdrawn it.`)
    removeLeasedItem(agent, workId)
    await removeWarning(agent.state, workId)
  }
  addLeasedItems(agent.leasedItems, toLeasedItems(answer, sentAtTime))
  return answer
}

const hourMs = 3_600_000

/** An earlier server refuses what it does not know, and any server a result that it cannot store. */
async function sendContact(agent: Agent, report: PlainContact, extension: Partial<Contact>): Promise<ContactAnswer> {
  const { client, terms, stopping } = agent
  if (performance.now() < terms.plainUntil) return client.contact(report, stopping)
  try {
    return await client.contact({ ...report, ...extension }, stopping)
  } catch (error) {
    if (!(error instanceof Refused) || ![400, 413, 422].includes(error.status)) throw error
    log(`For an hour, contacts are made without results and work is started by requests. ${error.message}`)
    terms.plainUntil = performance.now() + hourMs
    await reportFinished(agent)
    return client.contact(report, stopping)
  }
}

function toProgress({ workId, attempt }: LeasedItem): ContactProgress {
  return { workId, attempt, percent: null }
}

/** Stores the next credential before it is used. If that fails, the current one stays valid and the server offers again. */
async function storeOfferedCredential({ state, credential }: Agent, answer: ContactAnswer): Promise<void> {
  if (answer.credential === undefined) return
  if (!credentialPattern.test(answer.credential))
    return log('The server has offered an invalid credential. It is ignored.')
  await replaceCredential(state, credential, answer.credential).then(
    () => log('The server has issued a new credential.'),
    (error: unknown) => log(`The new credential could not be stored. ${messageOf(error)}`),
  )
}

async function storeAnswer({ state }: Agent, { settings, offers, nextContactSeconds }: ContactAnswer): Promise<void> {
  if (settings) {
    await pinKeysOfSettings(state, knownSettings(settings)).catch((error: unknown) => {
      if (!(error instanceof PinnedKeysLost)) throw error
      log(`The setting trustedKeys is ignored. ${error.message}`, 'ConfigurationRefused')
    })
    await storeSettings(state, settings)
    log(`New settings: ${Object.keys(settings.values).join(', ') || 'none'}`)
  }
  await storeOffers(state, offers)
  const last: LastContact = { contactUtc: new Date().toISOString(), nextContactSeconds }
  await writeDurably(state.platform.files, state.contact, last)
}

async function buildContact(
  { platform, state, journal, runId, environment, leasedItems }: Agent,
  wants: Contact['wants'],
): Promise<PlainContact> {
  const rebootRequiredSource = await findRebootSource(state)
  const isInterrupted = (await journal.entries()).some(({ phase }) => phase === 'running')
  return {
    runId,
    agentVersion,
    platform: platform.name,
    environment,
    bootTimeUtc: (await platform.system.bootTime()).toISOString(),
    rebootRequired: rebootRequiredSource !== null,
    rebootRequiredSource,
    suspension: await findSuspension(state),
    loggedOnUser: await platform.users.loggedOn(),
    ipAddress: (await platform.computer.mainInterface()).ipAddress,
    settingsHash: (await readSettings(state))?.hash || null,
    sections: {},
    wants,
    emptyHanded: leasedItems.length === 0 && !isInterrupted,
    canRotateCredential: true,
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from './agent.ts'
import { contact } from './contact.ts'
import { awaitUser, hasDeadline } from './deadlines/await-user.ts'
import { messageOf } from './expected-error.ts'
import { removeFolders } from './files/package-folder.ts'
import { log } from './log.ts'
import { releaseMemory } from './memory.ts'
import type { Platform } from './platform/platform.ts'
import { Refused, ServerUnavailable } from './server-client.ts'
import { WorkDelayed } from './shortage.ts'
import { restorePreviousCredential } from './state/identity.ts'
import { findPresentationEnd } from './state/presentation.ts'
import { knownSettings, readSettings } from './state/settings.ts'
import { findSuspension } from './state/suspension.ts'
import { confirmUpdate, isUpdateWaiting } from './update/versions.ts'
import { doWork } from './work/do-work.ts'
import type { LeasedItem } from './work/leased-work.ts'
import { postponeIfRequested } from './work/postpone-work.ts'
import { runPendingPowerCommands } from './work/power.ts'
import { recoverRunning } from './work/recover.ts'
import { removeLeasedItem, reportFinished } from './work/results.ts'

/** `contactedAt` is the time, by `performance.now()`, at which the server had answered. */
type Round = { hasMoreWork: boolean; nextContactSeconds: number; contactedAt: number }

const firstPauseMs = 1_000
const maxPauseMs = 5 * 60_000
const minIntervalMs = 1_000
const longPauseMs = 10_000
const maxIntervalMs = 24 * 60 * 60_000

/** Interrupts the pause when a local command has changed something that the server must know. */
export type Wake = { signal(): AbortSignal }

/** Contacts the server again and again until the agent is to stop. */
export async function runLoop(
  platform: Platform,
  currentAgent: () => Promise<Agent>,
  wake: Wake,
  stopping: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!stopping.aborted && !(await isUpdateWaiting(platform))) {
    const woken = wake.signal()
    let pauseMs: number
    try {
      const round = await runCurrentRound(currentAgent)
      if (failures > 0) log('The server can be reached again.', 'ContactRestored')
      failures = 0
      // Whatever the server hands out, contacts are not closer together than this.
      pauseMs = round.hasMoreWork
        ? Math.max(0, round.contactedAt + minIntervalMs - performance.now())
        : Math.min(maxIntervalMs, Math.max(minIntervalMs, round.nextContactSeconds * 1000))
    } catch (error) {
      if (stopping.aborted) break
      failures += 1
      pauseMs = pauseAfter(failures, error)
      // One event for each loss: the attempts that follow are in the log only.
      const event = failures === 1 ? 'ContactLost' : undefined
      log(`${messageOf(error)} Next attempt in ${Math.ceil(pauseMs / 1000)} s.`, event)
    }
    if (pauseMs >= longPauseMs) releaseMemory()
    await sleep(pauseMs, undefined, { signal: AbortSignal.any([stopping, woken]) }).catch(() => undefined)
  }
}

/** Runs rounds until there is nothing left to do. */
export async function runOnce(
  platform: Platform,
  currentAgent: () => Promise<Agent>,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted && !(await isUpdateWaiting(platform)))
    if (!(await runCurrentRound(currentAgent)).hasMoreWork) return
}

/** Runs a round, and once more with the previous credential if the server does not know the current one. */
async function runCurrentRound(currentAgent: () => Promise<Agent>): Promise<Round> {
  const agent = await currentAgent()
  try {
    return await runRound(agent)
  } catch (error) {
    const isRefused = error instanceof Refused && error.status === 401
    if (!isRefused || !(await restorePreviousCredential(agent.state, agent.credential))) throw error
    log('The server has refused the credential. Trying the previous one.')
    return runRound(await currentAgent())
  }
}

/** Recovers interrupted work and reports finished work first; only then asks the server for more. */
async function runRound(agent: Agent): Promise<Round> {
  await agent.journal.reserveSpace()
  // Otherwise the contact carries the results.
  if (!agent.terms.takesResults) await reportFinished(agent)
  await recoverRunning(agent)
  if (await runPendingPowerCommands(agent))
    return { hasMoreWork: false, nextContactSeconds: await ownInterval(agent), contactedAt: 0 }
  const { nextContactSeconds } = await contact(agent)
  const round = { hasMoreWork: true, nextContactSeconds, contactedAt: performance.now() }
  // The next round reports the result of the update.
  if (await confirmUpdate(agent.platform)) return round
  // Work comes first, and may need the same files.
  if (agent.leasedItems.length > 0) await agent.preDownloads.pause()
  const hasResult = await doAllWork(agent)
  if (await isUpdateWaiting(agent.platform)) return round
  const isPoweringDown = await runPendingPowerCommands(agent)
  if (!hasResult) await cleanUp(agent)
  if (!isPoweringDown) await agent.preDownloads.resume()
  const { hasMoreResults, hasUpcoming } = agent.terms
  return { ...round, hasMoreWork: (hasResult || hasMoreResults || hasUpcoming) && !isPoweringDown }
}

/**
 * Returns whether there is a result to report. Work that a suspension, an unavailable server or a shortage interrupts
 * continues later, while its lease lasts.
 */
async function doAllWork(agent: Agent): Promise<boolean> {
  let hasResult = false
  for (;;) {
    // The agent may have been suspended since the contact.
    if (agent.stopping.aborted || (await findSuspension(agent.state))) return hasResult
    const item = await findNextItem(agent)
    if (!item) return hasResult
    let isKept = false
    try {
      if (hasDeadline(item) ? !(await awaitUser(agent, item)) : await postponeIfRequested(agent, item)) continue
      if (item.started && performance.now() > agent.terms.mayBeginUntil) {
        // The next contact reports what is done, and confirms or withdraws the rest.
        isKept = hasResult
        if (hasResult) return true
        delete item.started
      }
      if (await doWork(agent, item)) hasResult = true
    } catch (error) {
      isKept = error instanceof ServerUnavailable || error instanceof WorkDelayed
      throw error
    } finally {
      if (!isKept) removeLeasedItem(agent, item.workId)
    }
  }
}

/** During a presentation that no longer suspends the agent, only work with a deadline is looked at. */
async function findNextItem({ leasedItems, state }: Agent): Promise<LeasedItem | undefined> {
  const [first] = leasedItems
  if (!first || !leasedItems.some(hasDeadline)) return first
  return (await findPresentationEnd(state, new Date())) ? leasedItems.find(hasDeadline) : first
}

async function cleanUp({ state, journal, cache, preDownloads }: Agent): Promise<void> {
  const { keepDownloadsDays } = knownSettings(await readSettings(state))
  const entries = await journal.entries()
  const kept = entries.flatMap((entry) => (entry.phase === 'running' ? entry.folder : []))
  await removeFolders(state.packages, new Set(kept))
  await cache.removeOlderThan(keepDownloadsDays, await preDownloads.keptHashes(keepDownloadsDays))
}

async function ownInterval({ state }: Agent): Promise<number> {
  return knownSettings(await readSettings(state)).contactIntervalMinutes * 60
}

/** Doubles with each failure, with jitter: agents that lost the server together must not return together. */
function pauseAfter(failures: number, error: unknown): number {
  // A refused credential will not work a moment later.
  if (error instanceof Refused) return maxPauseMs * (0.5 + Math.random() / 2)
  const limit = Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1))
  const requested = error instanceof ServerUnavailable ? (error.retryAfterSeconds ?? 0) * 1000 : 0
  return Math.max(Math.min(requested, maxPauseMs), limit * (0.5 + Math.random() / 2))
}

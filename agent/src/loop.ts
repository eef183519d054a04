import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from './agent.ts'
import { contact } from './contact.ts'
import { messageOf } from './expected-error.ts'
import { removeFolders } from './files/package-folder.ts'
import { log } from './log.ts'
import { Refused, ServerAway } from './server-client.ts'
import { knownSettings, readSettings } from './state/settings.ts'
import { currentSuspension } from './state/suspension.ts'
import { carryOut } from './work/carry-out.ts'
import { carryOutPower } from './work/power.ts'
import { putOff } from './work/put-off.ts'
import { recoverRunning } from './work/recover.ts'
import { removeOrder, reportFinished } from './work/results.ts'

type Round = { isAgainAtOnce: boolean; nextContactSeconds: number }

const firstPauseMs = 1_000
const longestPauseMs = 5 * 60_000
const shortestIntervalMs = 10
const longestIntervalMs = 24 * 60 * 60_000

/** Interrupts a pause: somebody has changed something that the server is to hear of. */
export type Wake = { signal(): AbortSignal }

/** One contact after the other, until the agent is told to end. */
export async function runLoop(agentOfNow: () => Promise<Agent>, wake: Wake, stopping: AbortSignal): Promise<void> {
  let failures = 0
  while (!stopping.aborted) {
    const woken = wake.signal()
    let pauseMs: number
    try {
      const round = await runRound(await agentOfNow())
      failures = 0
      if (round.isAgainAtOnce) continue
      pauseMs = Math.min(longestIntervalMs, Math.max(shortestIntervalMs, round.nextContactSeconds * 1000))
    } catch (error) {
      if (stopping.aborted) break
      failures += 1
      pauseMs = pauseAfter(failures, error)
      log(`${messageOf(error)} Next try in ${Math.ceil(pauseMs / 1000)} s.`)
    }
    await sleep(pauseMs, undefined, { signal: AbortSignal.any([stopping, woken]) }).catch(() => undefined)
  }
}

/** Rounds until there is nothing left to do. */
export async function runOnce(agentOfNow: () => Promise<Agent>, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) if (!(await runRound(await agentOfNow())).isAgainAtOnce) return
}

/** What is known but not told goes first, then what was interrupted; only then the server is asked for more. */
async function runRound(agent: Agent): Promise<Round> {
  await agent.journal.keepRoom()
  await reportFinished(agent)
  await recoverRunning(agent)
  if (await carryOutPower(agent)) return { isAgainAtOnce: false, nextContactSeconds: await ownInterval(agent) }
  const { work, nextContactSeconds } = await contact(agent)
  agent.orders.unshift(...work)
  const hasDone = await carryOutAll(agent)
  const goesDown = await carryOutPower(agent)
  if (!hasDone) await cleanUp(agent)
  return { isAgainAtOnce: hasDone && !goesDown, nextContactSeconds }
}

/** What the server or a suspension interrupts is gone on with later, as long as the server leaves it to the agent. */
async function carryOutAll(agent: Agent): Promise<boolean> {
  let hasDone = false
  for (;;) {
    const [order] = agent.orders
    // Somebody may have suspended the agent since the contact.
    if (!order || agent.stopping.aborted || (await currentSuspension(agent.state))) return hasDone
    let isInterrupted = false
    try {
      if (!(await putOff(agent, order)) && (await carryOut(agent, order))) hasDone = true
    } catch (error) {
      isInterrupted = error instanceof ServerAway
      throw error
    } finally {
      if (!isInterrupted) removeOrder(agent, order.workId)
    }
  }
}

async function cleanUp({ state, journal, cache }: Agent): Promise<void> {
  const { keepDownloadsDays } = knownSettings(await readSettings(state))
  const entries = await journal.entries()
  const kept = entries.flatMap((entry) => (entry.phase === 'running' ? entry.folder : []))
  await removeFolders(state.packages, new Set(kept))
  await cache.removeOlderThan(keepDownloadsDays)
}

async function ownInterval({ state }: Agent): Promise<number> {
  return knownSettings(await readSettings(state)).contactIntervalMinutes * 60
}

/** Twice as long each time, and never the same for all the agents that lost the server at once. */
function pauseAfter(failures: number, error: unknown): number {
  // A refused credential is not mended by asking again soon.
  if (error instanceof Refused) return longestPauseMs * (0.5 + Math.random() / 2)
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1))
  const asked = error instanceof ServerAway ? (error.retryAfterSeconds ?? 0) * 1000 : 0
  return Math.max(Math.min(asked, longestPauseMs), longest * (0.5 + Math.random() / 2))
}

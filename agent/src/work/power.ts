import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { type DeadlineItem, delay, hasDeadline } from '../deadlines/await-user.ts'
import { recordChoice } from '../deadlines/choices.ts'
import { findUserTexts } from '../deadlines/texts.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import { type Answered, findPowerAction, type PowerAction } from '../platform/machine.ts'
import type { Power, StartedWork, WorkItem } from '../protocol.ts'
import { mayRunUnsigned } from '../signing/pinned-keys.ts'
import type { PowerEntry } from '../state/journal.ts'
import { knownSettings, readSettings } from '../state/settings.ts'
import { findSuspension } from '../state/suspension.ts'
import { ask } from './ask-user.ts'
import { type Lease, startLease } from './lease.ts'
import type { LeasedItem } from './leased-work.ts'
import { canPostpone, postponeAsRequested } from './postpone-work.ts'
import { finish } from './results.ts'

const tickMs = 1_000
/** After a countdown without an answer, the user is left alone for this long. */
const silenceMs = 60 * 60_000

type PowerItem = WorkItem & Pick<LeasedItem, 'beginBy'>

const limitOf = ({ beginBy }: PowerItem) => (beginBy === undefined ? {} : { beginBy })

/** The computer may have been asleep, or without a connection to the server. */
function isTooLate({ workId, beginBy }: Pick<PowerItem, 'workId' | 'beginBy'>): boolean {
  if (beginBy === undefined || Date.now() <= beginBy) return false
  log(`Work ${workId}: the time in which the computer may restart is over.`)
  return true
}

/** Waits for the user, then reports the result. The command runs from the journal once the server has the result. */
export async function powerWork(agent: Agent, item: PowerItem, power: Power, work: StartedWork): Promise<boolean> {
  const startedUtc = new Date().toISOString()
  const action = power.action === 'None' ? undefined : requireSupported(power)
  const command = action ? ((await findCommand(agent)) ?? agent.platform.power.describe(action)) : null
  const shouldProceed = !action || (await countDown(agent, item, { ...power, action }, work))
  // The lease ends by itself, and the server asks again in the next window.
  if (!shouldProceed || isTooLate(item)) return false
  await finish(agent, {
    workId: item.workId,
    result: {
      attempt: item.attempt,
      status: 'Success',
      installationState: null,
      exitCode: null,
      startedUtc,
      finishedUtc: new Date().toISOString(),
      commandLine: command,
      output: '',
      errorText: null,
      rebootRequired: false,
    },
    ...(action && { power: { action, bootId: agent.platform.system.bootId(), ...limitOf(item) } }),
  })
  return true
}

function requireSupported(power: Power): PowerAction {
  const supported = findPowerAction(power)
  if (!supported) throw new Error(`it does not support the power action ${power.action}.`)
  return supported
}

/**
 * The shell command to run in place of what the platform does. The setting `rebootCommand` comes from the server and has no
 * signature, so an agent with pinned keys ignores it.
 */
async function findCommand({ state, rebootCommand }: Agent): Promise<string | undefined> {
  const ofServer = knownSettings(await readSettings(state)).rebootCommand
  if (rebootCommand !== undefined || ofServer === null) return rebootCommand
  if (await mayRunUnsigned(state)) return ofServer
  log(
    'The setting rebootCommand is ignored: this agent runs only what its pinned keys have signed.',
    'ConfigurationRefused',
  )
  return undefined
}

/** Runs power commands that the server has accepted, unless the system has rebooted since. Returns whether any ran. */
export async function runPendingPowerCommands(agent: Agent): Promise<boolean> {
  if (await findSuspension(agent.state)) return false
  const accepted = (await agent.journal.entries()).filter((entry) => entry.phase === 'power')
  const late = new Set(accepted.filter(isTooLate))
  for (const { workId } of late) await agent.journal.remove(workId)
  const entries = accepted.filter((entry) => !late.has(entry))
  for (const entry of entries) {
    // The command is determined again: keys may have been pinned since it was stored.
    if (entry.bootId === agent.platform.system.bootId()) await performAction(agent, entry)
    await agent.journal.remove(entry.workId)
  }
  return entries.length > 0
}

async function performAction(agent: Agent, { workId, action }: PowerEntry): Promise<void> {
  const { power, processes } = agent.platform
  const command = await findCommand(agent)
  log(`Work ${workId}: ${action}: ${command ?? power.describe(action)}`)
  const code =
    command === undefined
      ? await power.perform(action)
      : await processes.runShell(command, { ...process.env, MUSTER_POWER_ACTION: action })
  if (code !== 0) log(`Work ${workId}: the command for ${action} exited with ${code}.`)
}

/** What the user answers while a countdown runs. */
type Countdown = { end: number; nextReminder: number; answered: Answered | null }

type Announced = Power & { action: PowerAction }

/** Counts down with the lease of the work item. Returns whether to proceed. */
async function countDown(agent: Agent, item: WorkItem, power: Announced, work: StartedWork): Promise<boolean> {
  const { showNotifications } = knownSettings(await readSettings(agent.state))
  const lease = startLease(agent.client, item, work.leaseSeconds)
  return waitForUsers(agent, item, power, lease, showNotifications || hasDeadline(item)).finally(() => lease.end())
}

/** Waits while a user is logged on, up to the timeout. Returns whether to proceed. */
async function waitForUsers(
  agent: Agent,
  item: WorkItem,
  { action, timeoutMinutes, reminderMinutes }: Announced,
  lease: Lease,
  showNotifications: boolean,
): Promise<boolean> {
  const { stopping } = agent
  const minutes = Math.max(timeoutMinutes, item.userDeadline?.noticeMinutes ?? timeoutMinutes)
  const countdown: Countdown = { end: Date.now() + minutes * 60_000, nextReminder: Date.now(), answered: null }
  const { end } = countdown
  await lease.report(0, `${action} is pending`)
  while (Date.now() < end && countdown.answered?.answer !== 'Now' && (await agent.platform.users.loggedOn()) !== null) {
    if (stopping.aborted || lease.cancelled.aborted || (await postponeAsRequested(agent, item))) return false
    if (showNotifications && Date.now() >= countdown.nextReminder && !agent.questions.isOpen) {
      countdown.nextReminder = reminderMinutes > 0 ? Date.now() + reminderMinutes * 60_000 : Number.POSITIVE_INFINITY
      await announce(agent, item, action, countdown)
    }
    await sleep(Math.min(tickMs, Math.max(0, end - Date.now())), undefined, { signal: stopping }).catch(() => undefined)
  }
  if (stopping.aborted || lease.cancelled.aborted) return false
  return !(hasDeadline(item) && (await waitsForAnswer(agent, item, countdown, minutes)))
}

/** A restart would close everything, so silence means later until the deadline, unless the user has used up the postponements. */
async function waitsForAnswer(
  agent: Agent,
  item: DeadlineItem,
  { answered }: Countdown,
  minutes: number,
): Promise<boolean> {
  if ((await agent.platform.users.loggedOn()) === null) return false
  if (answered?.answer === 'Now') {
    await recordChoice(agent, item.workId, 'Now', { user: answered.user })
    return false
  }
  if (!canPostpone(item)) return false
  // The last countdown ends at the deadline.
  const lastStart = Date.parse(item.userDeadline.deadlineUtc) - minutes * 60_000
  const until = Math.max(Math.min(Date.now() + silenceMs, lastStart), Date.now() + tickMs)
  return delay(agent, item, 'NoAnswer', new Date(until))
}

/** A question stays until the next one. A postponement is stored, and found by the countdown. */
async function announce(agent: Agent, item: WorkItem, action: PowerAction, countdown: Countdown): Promise<void> {
  const { users } = agent.platform
  const texts = await findUserTexts(agent.platform)
  const { end, nextReminder } = countdown
  const message = texts.powerSoon(action, Math.ceil((end - Date.now()) / 60_000))
  if (!users.askToPostpone || !canPostpone(item)) {
    users.notify(message)
    return
  }
  const limitMs = Math.min(end, nextReminder) - Date.now()
  void ask(agent, { text: texts.askToPostponePower(message), items: [item] }, limitMs).then(
    (answered) => {
      countdown.answered = answered
    },
    (error: unknown) => log(messageOf(error)),
  )
}

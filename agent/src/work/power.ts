import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import type { PowerAction } from '../platform/machine.ts'
import type { Power, StartedWork, WorkItem } from '../protocol.ts'
import { mayRunUnsigned } from '../signing/pinned-keys.ts'
import type { PowerEntry } from '../state/journal.ts'
import { knownSettings, readSettings } from '../state/settings.ts'
import { findSuspension } from '../state/suspension.ts'
import { ask } from './ask-user.ts'
import { type Lease, startLease } from './lease.ts'
import { canPostpone, postponeAsRequested } from './postpone-work.ts'
import { finish } from './results.ts'

const supportedActions: readonly PowerAction[] = ['Reboot', 'Shutdown', 'LogOff']

const tickMs = 1_000

/** Waits for the user, then reports the result. The command runs from the journal once the server has the result. */
export async function powerWork(agent: Agent, item: WorkItem, power: Power, work: StartedWork): Promise<boolean> {
  const startedUtc = new Date().toISOString()
  const action = power.action === 'None' ? undefined : requireSupported(power.action)
  const command = action ? ((await findCommand(agent)) ?? agent.platform.power.describe(action)) : null
  const settings = knownSettings(await readSettings(agent.state))
  const lease = startLease(agent.client, item, work.leaseSeconds)
  const shouldProceed = await countDown(agent, item, power, lease, settings.showNotifications).finally(() =>
    lease.end(),
  )
  if (!shouldProceed) return false
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
    ...(action && { power: { action, bootId: agent.platform.system.bootId() } }),
  })
  return true
}

function requireSupported(action: string): PowerAction {
  const supported = supportedActions.find((one) => one === action)
  if (!supported) throw new Error(`it does not support the power action ${action}.`)
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
  const entries = (await agent.journal.entries()).filter((entry) => entry.phase === 'power')
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

/** Waits while a user is logged on, up to the timeout. Returns whether to proceed. */
async function countDown(
  agent: Agent,
  item: WorkItem,
  { action, timeoutMinutes, reminderMinutes }: Power,
  lease: Lease,
  showNotifications: boolean,
): Promise<boolean> {
  const { stopping } = agent
  const end = Date.now() + timeoutMinutes * 60_000
  let nextReminder = Date.now()
  await lease.report(0, `${action} is pending`)
  while (Date.now() < end && (await agent.platform.users.loggedOn()) !== null) {
    if (stopping.aborted || lease.cancelled.aborted || (await postponeAsRequested(agent, item))) return false
    if (showNotifications && Date.now() >= nextReminder && !agent.questions.isOpen) {
      nextReminder = reminderMinutes > 0 ? Date.now() + reminderMinutes * 60_000 : Number.POSITIVE_INFINITY
      announce(agent, item, action, { end, nextReminder })
    }
    await sleep(Math.min(tickMs, Math.max(0, end - Date.now())), undefined, { signal: stopping }).catch(() => undefined)
  }
  return !stopping.aborted && !lease.cancelled.aborted
}

/** A question stays until the next one. Its answer is stored, and found by the countdown. */
function announce(
  agent: Agent,
  item: WorkItem,
  action: string,
  { end, nextReminder }: { end: number; nextReminder: number },
): void {
  const { users } = agent.platform
  const minutes = Math.ceil((end - Date.now()) / 60_000)
  const message = `${action} of this computer in ${minutes} minutes. Please save your work.`
  if (!users.askToPostpone || !canPostpone(item)) {
    users.notify(message)
    return
  }
  const limitMs = Math.min(end, nextReminder) - Date.now()
  void ask(agent, `${message} Do you want to postpone it by an hour?`, limitMs).catch((error: unknown) =>
    log(messageOf(error)),
  )
}

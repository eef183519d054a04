import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { log } from '../log.ts'
import { bootId } from '../machine/processes.ts'
import { loggedOnUser } from '../machine/system-state.ts'
import type { Power, StartedWork, WorkOrder } from '../protocol.ts'
import { readPinnedKeys } from '../signing/pinned-keys.ts'
import type { PowerEntry } from '../state/journal.ts'
import { knownSettings, readSettings } from '../state/settings.ts'
import { findSuspension } from '../state/suspension.ts'
import { type Lease, startLease } from './lease.ts'
import { finish } from './results.ts'

/** The command of each action that the server can order. */
const defaultCommands: Record<Power['action'], string> = {
  Reboot: 'systemctl reboot || shutdown -r now',
  Shutdown: 'systemctl poweroff || shutdown -h now',
  LogOff: "loginctl list-sessions --no-legend | awk '{ print $1 }' | xargs -r -n 1 loginctl terminate-session",
  None: 'true',
}

const tickMs = 1_000

/** Waits for the user, then reports the result. The command runs from the journal once the server has the result. */
export async function powerWork(agent: Agent, order: WorkOrder, power: Power, work: StartedWork): Promise<boolean> {
  const startedUtc = new Date().toISOString()
  const command = await commandFor(agent, power.action)
  const settings = knownSettings(await readSettings(agent.state))
  const lease = startLease(agent.client, order, work.leaseSeconds)
  const goesAhead = await countDown(agent, power, lease, settings.showNotifications).finally(() => lease.end())
  if (!goesAhead) return false
  await finish(agent, {
    workId: order.workId,
    result: {
      attempt: order.attempt,
      status: 'Success',
      installationState: null,
      exitCode: null,
      startedUtc,
      finishedUtc: new Date().toISOString(),
      commandLine: power.action === 'None' ? null : command,
      output: '',
      errorText: null,
      rebootRequired: false,
    },
    ...(power.action !== 'None' && { power: { action: power.action, bootId: bootId() } }),
  })
  return true
}

/**
 * The command for a power action. The setting `rebootCommand` comes from the server and has no signature, so an agent with
 * pinned keys ignores it.
 */
async function commandFor({ state, rebootCommand }: Agent, action: string): Promise<string> {
  if (!Object.hasOwn(defaultCommands, action)) throw new Error(`it does not support the power action ${action}.`)
  const fallback = defaultCommands[action as Power['action']]
  const ofServer = knownSettings(await readSettings(state)).rebootCommand
  if (rebootCommand !== undefined || ofServer === null) return rebootCommand ?? fallback
  if (!(await readPinnedKeys(state))) return ofServer
  log('The setting rebootCommand is ignored: this agent runs only what its pinned keys have signed.')
  return fallback
}

/** Runs power commands that the server has accepted, unless the system has rebooted since. Returns whether any ran. */
export async function runPendingPowerCommands(agent: Agent): Promise<boolean> {
  if (await findSuspension(agent.state)) return false
  const entries = (await agent.journal.entries()).filter((entry) => entry.phase === 'power')
  for (const entry of entries) {
    // The command is determined again: keys may have been pinned since it was stored.
    if (entry.bootId === bootId()) await runPowerCommand(entry, await commandFor(agent, entry.action))
    await agent.journal.remove(entry.workId)
  }
  return entries.length > 0
}

async function runPowerCommand({ workId, action }: PowerEntry, command: string): Promise<void> {
  log(`Work ${workId}: ${action}: ${command}`)
  const child = spawn('/bin/sh', ['-c', command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, MUSTER_POWER_ACTION: action },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) log(`Work ${workId}: the command for ${action} exited with ${code}.`)
}

/** Waits while a user is logged on, up to the timeout. Returns whether to go ahead. */
async function countDown(
  { stopping }: Agent,
  { action, timeoutMinutes, reminderMinutes }: Power,
  lease: Lease,
  showNotifications: boolean,
): Promise<boolean> {
  const end = Date.now() + timeoutMinutes * 60_000
  let nextReminder = Date.now()
  await lease.report(0, `${action} is pending`)
  while (Date.now() < end && (await loggedOnUser()) !== null) {
    if (stopping.aborted || lease.cancelled.aborted) return false
    if (showNotifications && Date.now() >= nextReminder) {
      remind(`${action} of this computer in ${Math.ceil((end - Date.now()) / 60_000)} minutes. Please save your work.`)
      nextReminder = reminderMinutes > 0 ? Date.now() + reminderMinutes * 60_000 : Number.POSITIVE_INFINITY
    }
    await sleep(Math.min(tickMs, Math.max(0, end - Date.now())), undefined, { signal: stopping }).catch(() => undefined)
  }
  return !stopping.aborted && !lease.cancelled.aborted
}

function remind(message: string): void {
  // Work continues even if `wall` is missing.
  execFile('wall', [message], () => undefined)
}

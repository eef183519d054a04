import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { log } from '../log.ts'
import { bootId } from '../machine/processes.ts'
import { loggedOnUser } from '../machine/system-state.ts'
import type { Power, StartedWork, WorkOrder } from '../protocol.ts'
import type { PowerEntry } from '../state/journal.ts'
import { knownSettings, readSettings } from '../state/settings.ts'
import { currentSuspension } from '../state/suspension.ts'
import { keepLease, type Lease } from './lease.ts'
import { finish } from './results.ts'

const defaultCommands: Record<Power['action'], string> = {
  Reboot: 'systemctl reboot || shutdown -r now',
  Shutdown: 'systemctl poweroff || shutdown -h now',
  LogOff: "loginctl list-sessions --no-legend | awk '{ print $1 }' | xargs -r -n 1 loginctl terminate-session",
  None: 'true',
}

const tickMs = 1_000

/** Gives people their time and tells the server; the command itself runs from the journal, after the server knows. */
export async function powerWork(agent: Agent, order: WorkOrder, power: Power, work: StartedWork): Promise<boolean> {
  const startedUtc = new Date().toISOString()
  const settings = knownSettings(await readSettings(agent.state))
  const lease = keepLease(agent.client, order.workId, order.attempt, work.leaseSeconds)
  const goesAhead = await countDown(agent, power, lease, settings.showNotifications).finally(() => lease.end())
  if (!goesAhead) return false
  const command = agent.rebootCommand ?? settings.rebootCommand ?? defaultCommands[power.action]
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
    ...(power.action !== 'None' && { power: { action: power.action, command, bootId: bootId() } }),
  })
  return true
}

/** Runs what the server agreed to, unless the system was started anew since; tells whether something was run. */
export async function carryOutPower(agent: Agent): Promise<boolean> {
  if (await currentSuspension(agent.state)) return false
  const entries = (await agent.journal.entries()).filter((entry) => entry.phase === 'power')
  for (const entry of entries) {
    if (entry.bootId === bootId()) await runPowerCommand(entry)
    await agent.journal.remove(entry.workId)
  }
  return entries.length > 0
}

async function runPowerCommand({ workId, action, command }: PowerEntry): Promise<void> {
  log(`Work ${workId}: ${action}: ${command}`)
  const child = spawn('/bin/sh', ['-c', command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, MUSTER_POWER_ACTION: action },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) log(`Work ${workId}: the command for ${action} ended with ${code}.`)
}

/** The time that somebody who is logged on has left; tells whether to go ahead after it. */
async function countDown(
  { stopping }: Agent,
  { action, timeoutMinutes, reminderMinutes }: Power,
  lease: Lease,
  showNotifications: boolean,
): Promise<boolean> {
  const end = Date.now() + timeoutMinutes * 60_000
  let nextReminder = Date.now()
  await lease.tell(0, `${action} is coming`)
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
  // A missing wall is no reason to hold the work back.
  execFile('wall', [message], () => undefined)
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { log } from '../log.ts'
import { isAlive, signalGroup } from '../machine/processes.ts'
import { isNotHeld } from '../server-client.ts'
import type { RunningEntry } from '../state/journal.ts'
import { currentSuspension } from '../state/suspension.ts'
import { detected } from './detect.ts'
import { keepLease } from './lease.ts'
import { packageWork } from './package-work.ts'
import { finish } from './results.ts'
import { verdictAfterInterruption } from './verdict.ts'

const lookMs = 200
const patienceMs = 5_000
const assumedLeaseSeconds = 60

/** Finds out how commands ended that an earlier process of the agent began and did not see the end of. */
export async function recoverRunning(agent: Agent): Promise<void> {
  for (const entry of await agent.journal.entries())
    if (entry.phase === 'running' && !agent.stopping.aborted) await recover(agent, entry)
}

async function recover(agent: Agent, entry: RunningEntry): Promise<void> {
  log(`Work ${entry.workId}: its command was interrupted.`)
  await commandIsOver(agent, entry)
  if (agent.stopping.aborted) return
  const verdict = verdictAfterInterruption(entry, await detected(entry, entry.detect))
  if (verdict !== 'again') return await finishInterrupted(agent, entry, verdict)
  if (await currentSuspension(agent.state)) return
  try {
    const work = await agent.client.start(entry.workId, { attempt: entry.attempt, runId: agent.runId }, agent.stopping)
    await packageWork(agent, { ...orderOf(entry), runs: entry.runs + 1 }, work)
  } catch (error) {
    if (!isNotHeld(error)) throw error
    const errorText = `The work was interrupted, and the server wants it no more. ${error.message}`
    await finishInterrupted(agent, entry, {
      status: 'Failed',
      installationState: entry.kind === 'Uninstall' ? 'Installed' : 'NotInstalled',
      errorText,
    })
  }
}

function orderOf({ workId, attempt, kind, package: subject, runs }: RunningEntry) {
  return { workId, attempt, kind, package: subject, runs }
}

/** The command may have outlived the agent. It gets the time it had, and the server is told that it runs. */
async function commandIsOver(agent: Agent, { workId, attempt, process: command, deadlineUtc }: RunningEntry) {
  if (!(await isAlive(command))) return
  log(`Work ${workId}: its command still runs, as process ${command.pid}.`)
  const lease = keepLease(agent.client, workId, attempt, assumedLeaseSeconds)
  lease.note(50, 'The command still runs')
  const deadline = new Date(deadlineUtc).getTime()
  try {
    while (await isAlive(command)) {
      if (agent.stopping.aborted) return
      if (Date.now() > deadline) signalGroup(command.pid, Date.now() > deadline + patienceMs ? 'SIGKILL' : 'SIGTERM')
      await sleep(lookMs)
    }
  } finally {
    lease.end()
  }
}

async function finishInterrupted(
  agent: Agent,
  entry: RunningEntry,
  verdict: Exclude<ReturnType<typeof verdictAfterInterruption>, 'again'>,
): Promise<void> {
  await finish(
    agent,
    {
      workId: entry.workId,
      result: {
        attempt: entry.attempt,
        ...verdict,
        exitCode: null,
        startedUtc: entry.startedUtc,
        finishedUtc: new Date().toISOString(),
        commandLine: entry.commandLine,
        output: 'The agent ended while the command ran. Its output is lost; its success was found out afterwards.\n',
        rebootRequired: false,
      },
    },
    entry.folder,
  )
}

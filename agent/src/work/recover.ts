import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { log } from '../log.ts'
import { isLeaseLost } from '../server-client.ts'
import { mayRunUnsigned, readPinnedKeysToReplace } from '../signing/pinned-keys.ts'
import type { RunningEntry } from '../state/journal.ts'
import { findSuspension } from '../state/suspension.ts'
import { findOutcome, type StagedUpdate } from '../update/versions.ts'
import { detectSoftware } from './detect.ts'
import { startLease } from './lease.ts'
import { packageWork } from './package-work.ts'
import { finish } from './results.ts'
import { judgeInterruption, type Verdict } from './verdict.ts'

const pollMs = 200
const killDelayMs = 5_000
const assumedLeaseSeconds = 60

/** Determines how the commands ended that an earlier process of the agent started but did not see finish. */
export async function recoverRunning(agent: Agent): Promise<void> {
  for (const entry of await agent.journal.entries())
    if (entry.phase === 'running' && !agent.stopping.aborted) await recover(agent, entry)
}

async function recover(agent: Agent, entry: RunningEntry): Promise<void> {
  log(`Work ${entry.workId}: its command was interrupted.`)
  await waitForCommand(agent, entry)
  if (agent.stopping.aborted) return
  const update = await findOutcome(agent.platform, entry.workId)
  if (update?.state === 'OnTrial') return await keepLease(agent, entry)
  if (update?.state === 'Reverted') return await finishInterrupted(agent, entry, revertedVerdict(update.update))
  if (entry.isTrial) return await recoverTrial(agent, entry)
  const detect = (await mayRun(agent, entry)) ? entry.detect : null
  const verdict = judgeInterruption(entry, (await detectSoftware(agent.platform, entry, detect)).isPresent)
  if (verdict !== 'again') return await finishInterrupted(agent, entry, verdict)
  if (await findSuspension(agent.state)) return
  try {
    const work = await agent.client.start(entry.workId, { attempt: entry.attempt, runId: agent.runId }, agent.stopping)
    await packageWork(agent, { ...packageItemOf(entry), runs: entry.runs + 1 }, work)
  } catch (error) {
    if (!isLeaseLost(error)) throw error
    const errorText = `The work was interrupted, and the server no longer expects it. ${error.message}`
    await finishInterrupted(agent, entry, {
      status: 'Failed',
      installationState: entry.kind === 'Uninstall' ? 'Installed' : 'NotInstalled',
      errorText,
    })
  }
}

/** Once more, the trial only uninstalls what is installed. */
async function recoverTrial(agent: Agent, entry: RunningEntry): Promise<void> {
  const { workId, attempt, step, runs } = entry
  const interruption = `The trial was interrupted: the agent stopped while the command to ${step} was running`
  const failed = (why: string): Verdict => ({
    status: 'Failed',
    installationState: null,
    errorText: `${interruption}, and ${why}. The software may still be installed.`,
  })
  if (runs > 1) return await finishInterrupted(agent, entry, failed('this happened twice'))
  if (await findSuspension(agent.state)) return
  try {
    const work = await agent.client.start(workId, { attempt, runId: agent.runId }, agent.stopping)
    await packageWork(agent, { ...packageItemOf(entry), kind: 'Trial', runs: runs + 1, interruptedStep: step }, work)
  } catch (error) {
    if (!isLeaseLost(error)) throw error
    await finishInterrupted(agent, entry, failed('the server no longer expects it'))
  }
}

/** The result of an update is known after the first contact. The server must not take back the work at that contact. */
async function keepLease({ client, runId, stopping }: Agent, { workId, attempt }: RunningEntry): Promise<void> {
  await client.start(workId, { attempt, runId }, stopping).catch((error: unknown) => {
    if (!isLeaseLost(error)) throw error
  })
}

function revertedVerdict({ version, previousVersion }: StagedUpdate): Verdict {
  const errorText = `Version ${version} of the agent did not contact the server in its time, so version ${previousVersion} has returned.`
  return { status: 'Failed', installationState: 'NotInstalled', errorText }
}

/** The keys may have been pinned or replaced since the command was started. */
async function mayRun({ state }: Agent, { signedBy }: RunningEntry): Promise<boolean> {
  if (await mayRunUnsigned(state)) return true
  return (await readPinnedKeysToReplace(state)).keys.some(({ keyId }) => keyId === signedBy)
}

function packageItemOf({ workId, attempt, kind, package: subject, runs }: RunningEntry) {
  return { workId, attempt, kind, package: subject, runs }
}

/** Waits for a command that has outlived the agent, up to its original deadline, and keeps its lease meanwhile. */
async function waitForCommand(agent: Agent, { workId, attempt, process: command, deadlineUtc }: RunningEntry) {
  const { processes } = agent.platform
  if (!(await processes.isAlive(command))) return
  log(`Work ${workId}: its command is still running as process ${command.pid}.`)
  const lease = startLease(agent.client, { workId, attempt }, assumedLeaseSeconds)
  lease.note(50, 'The command is still running')
  const deadline = new Date(deadlineUtc).getTime()
  try {
    while (await processes.isAlive(command)) {
      if (agent.stopping.aborted) return
      if (Date.now() > deadline) processes.endTree(command, Date.now() > deadline + killDelayMs ? 'kill' : 'ask')
      await sleep(pollMs)
    }
  } finally {
    lease.end()
  }
}

async function finishInterrupted(agent: Agent, entry: RunningEntry, verdict: Verdict): Promise<void> {
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
        output:
          'The agent stopped while the command was running. The output is lost; the result was determined afterwards.\n',
        rebootRequired: false,
      },
    },
    entry.folder,
  )
}

import type { Agent } from '../agent.ts'
import { type Footprint, type FootprintItem, findLeftovers, incompleteLeftovers } from '../platform/footprint.ts'
import type { TrialReport, TrialStep, WorkResult } from '../protocol.ts'
import type { Step } from '../state/journal.ts'
import { recordRebootRequired } from '../state/reboot-required.ts'
import { type Begun, buildResult, failedResult, nothingRan, prepareWork, refuse } from './begun-work.ts'
import type { ResolvedCommand } from './declared/declaration.ts'
import { type Detected, detectSoftware } from './detect.ts'
import { redactedLine, runStep } from './run-step.ts'
import { judgeResult } from './verdict.ts'

const alreadyInstalled = 'The software is already installed on this computer, and the trial would remove it.'

/** What the steps of a trial share. */
type Trial = { agent: Agent; begun: Begun; steps: TrialStep[]; rebootRequired: boolean }

/**
 * Installs the package and uninstalls it again, each as deployments do, and reports what both did and what is left behind. Once
 * the software is installed, nothing but a crash keeps the agent from uninstalling it: not even the cancellation of the trial.
 * Returns undefined if nothing was started and there is nothing to report.
 */
export async function performTrial(agent: Agent, handed: Begun): Promise<WorkResult | undefined> {
  const prepared = await prepareWork(agent, toStep(handed, 'Install'))
  if (!prepared || 'status' in prepared) return prepared
  const { begun, commands } = prepared
  const { install, uninstall } = commands
  if (!install || !uninstall) return refuse(agent, begun, 'The package has no commands to install and uninstall it.')
  const trial: Trial = { agent, begun, steps: [], rebootRequired: false }
  if (handed.item.interruptedStep) return endInterrupted(trial, uninstall, handed.item.interruptedStep)
  const found = await detectSoftware(agent.platform, begun.subject, begun.detect)
  if (found.isPresent) return refuse(agent, begun, alreadyInstalled)
  if (found.fault !== undefined) return refuse(agent, begun, `The software cannot be detected: ${found.fault}.`)
  const before = await agent.platform.takeFootprint()
  await begun.lease.report(40, 'Running the command to install')
  if (agent.stopping.aborted || begun.lease.cancelled.aborted) return undefined
  const installed = await takeStep(trial, 'Install', install, found)
  if (!installed) return undefined
  if (installed.isPresent || installed.hasRun) {
    await begun.lease.report(70, 'Running the command to uninstall')
    if (!(await takeStep(trial, 'Uninstall', uninstall, installed))) return undefined
  }
  await begun.lease.report(90, 'Looking for leftovers')
  return toResult(trial, await findLeftoversSince(agent, before))
}

/** The work of a step, as its command and the journal see it. */
function toStep(begun: Begun, kind: TrialStep['step']): Begun {
  return { ...begun, item: { ...begun.item, kind }, subject: { ...begun.subject, kind } }
}

/** What a step leaves: what the detection finds, and whether the command did what it was to do. */
type Taken = Detected & { hasRun: boolean }

/** Runs one command with the detection after it. Returns undefined if the next start of the agent goes on with the trial. */
async function takeStep(
  trial: Trial,
  step: TrialStep['step'],
  command: ResolvedCommand,
  { isPresent }: Detected,
): Promise<Taken | undefined> {
  const { agent } = trial
  const begun = toStep(trial.begun, step)
  const planned = { step: step.toLowerCase() as Step, command }
  const startedUtc = new Date().toISOString()
  const isFirst = trial.steps.length === 0 && begun.item.interruptedStep === undefined
  const end = await runStep(agent, begun, planned, { isFirst, isAfterUninstall: false, isTrial: true })
  if (end === undefined) return undefined
  const finishedUtc = new Date().toISOString()
  const shared = { step, startedUtc, finishedUtc, detectedBefore: isPresent ?? null }
  if (typeof end === 'string') {
    trial.steps.push({ ...shared, ...notRun, detectedAfter: isPresent ?? null, errorText: end })
    return { isPresent, hasRun: false }
  }
  const after = await detectSoftware(agent.platform, begun.subject, begun.detect)
  trial.steps.push({
    ...shared,
    ...{ commandLine: redactedLine(begun, planned), exitCode: end.exitCode, output: end.output },
    detectedAfter: after.isPresent ?? null,
    errorText: judgeResult(step, end, after).errorText,
  })
  if (end.outcome === 'reboot') trial.rebootRequired = true
  return { ...after, hasRun: end.outcome !== 'failed' }
}

const notRun = { commandLine: null, exitCode: null, output: '' }

/**
 * An earlier process of the agent stopped during a step, so what was there before is not known any more. What is installed is
 * uninstalled, which the package decides if it cannot detect its software.
 */
async function endInterrupted(
  trial: Trial,
  uninstall: ResolvedCommand,
  interruptedStep: Step,
): Promise<WorkResult | undefined> {
  const { agent, begun } = trial
  const found = await detectSoftware(agent.platform, begun.subject, begun.detect)
  if (found.isPresent !== false && !(await takeStep(trial, 'Uninstall', uninstall, found))) return undefined
  const result = await toResult(trial, incompleteLeftovers)
  const interruption = `The trial was interrupted: the agent stopped while the command to ${interruptedStep} was running.`
  const outcome = result.status === 'Success' ? 'The software is not installed any more.' : result.errorText
  return { ...result, status: 'Failed', errorText: `${interruption} ${outcome}` }
}

type Leftovers = { items: FootprintItem[]; isComplete: boolean }

async function findLeftoversSince(agent: Agent, before: Footprint): Promise<Leftovers> {
  return findLeftovers(before, await agent.platform.takeFootprint())
}

async function toResult(trial: Trial, { items, isComplete }: Leftovers): Promise<WorkResult> {
  const { agent, begun, steps, rebootRequired } = trial
  const { package: subject } = begun.item
  if (rebootRequired) await recordRebootRequired(agent.state, `${subject.name} ${subject.version}`)
  const report: TrialReport = {
    steps,
    leftovers: items.slice(0, maxLeftovers),
    leftoverCount: items.length,
    leftoversComplete: isComplete,
  }
  const failed = steps.find(({ errorText }) => errorText !== null)
  const last = steps.at(-1)
  const ended = { ...nothingRan, exitCode: last?.exitCode ?? null, commandLine: last?.commandLine ?? null }
  if (failed) {
    const errorText = `To ${failed.step.toLowerCase()} the package failed. ${failed.errorText}`
    return { ...failedResult(begun, errorText), ...ended, rebootRequired, trial: report }
  }
  const verdict = { status: 'Success', installationState: null, errorText: null } as const
  return { ...buildResult(begun, { ...ended, rebootRequired }, verdict), trial: report }
}

/** The maximum that the server accepts. */
const maxLeftovers = 200

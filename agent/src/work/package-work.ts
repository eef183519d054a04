import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { sendInventory } from '../inventory/report.ts'
import { log } from '../log.ts'
import { refreshPatchScan, sendPatchScanOrError } from '../patches/report.ts'
import { recordRollbacks } from '../patches/rollbacks.ts'
import type { StartedWork, WorkResult } from '../protocol.ts'
import { recordRebootRequired } from '../state/reboot-required.ts'
import { findOutcome } from '../update/versions.ts'
import {
  type Begun,
  buildResult,
  type Ended,
  failedResult,
  nothingRan,
  type PackageItem,
  prepareWork,
  refuse,
} from './begun-work.ts'
import { declarationOf } from './declared/declaration.ts'
import { detectSoftware } from './detect.ts'
import { startLease } from './lease.ts'
import { addLastLines } from './output-tail.ts'
import { performTrial } from './perform-trial.ts'
import { finish } from './results.ts'
import type { CommandEnd } from './run-command.ts'
import { redactedLine, runStep } from './run-step.ts'
import { type PlannedStep, planSteps, textOfStep } from './steps.ts'
import { judgeResult } from './verdict.ts'

/**
 * Does one work item on a package, from download to report. Returns whether there was a result to report. If the server
 * does not know of the start, the first report of progress informs it, or the result of work that is done sooner.
 */
export async function packageWork(
  agent: Agent,
  item: PackageItem,
  work: StartedWork,
  isStartKnown = true,
): Promise<boolean> {
  const folder = join(agent.state.packages, `${item.workId}-${item.attempt}-${item.runs}`)
  const silentUntil = isStartKnown ? 0 : agent.terms.mayBeginUntil
  const lease = startLease(agent.client, item, work.leaseSeconds, silentUntil, (percent) =>
    agent.activity.progress(item.workId, percent),
  )
  const subject = { kind: item.kind, package: item.package, folder, variables: work.variables }
  const begun: Begun = {
    item,
    work,
    subject,
    startedUtc: new Date().toISOString(),
    lease,
    fetched: [],
    detect: null,
    signedBy: null,
  }
  const perform = item.kind === 'Trial' ? performTrial : performWork
  const result = await perform(agent, begun).finally(() => lease.end())
  if (!result) return false
  await finish(agent, { workId: item.workId, result }, folder)
  return true
}

/** Returns the result, or undefined if nothing was started and there is nothing to report. */
async function performWork(agent: Agent, handed: Begun): Promise<WorkResult | undefined> {
  const prepared = await prepareWork(agent, handed)
  if (!prepared || 'status' in prepared) return prepared
  const { begun, commands } = prepared
  const { item, subject, detect } = begun
  const { isPresent } =
    item.kind === 'Reinstall' ? await detectSoftware(agent.platform, subject, detect) : { isPresent: undefined }
  const steps = planSteps(item.kind, commands, isPresent)
  if (typeof steps === 'string') return refuse(agent, begun, steps)
  return runSteps(agent, begun, steps)
}

async function runSteps(agent: Agent, begun: Begun, steps: readonly PlannedStep[]): Promise<WorkResult | undefined> {
  const { item, subject, lease } = begun
  const ended: Ended & Pick<CommandEnd, 'outcome' | 'errorText'> = {
    ...nothingRan,
    outcome: 'success',
    errorText: null,
  }
  for (const [index, planned] of steps.entries()) {
    // What the step before has begun, the step after ends, whatever failed in between.
    if (ended.outcome === 'failed' && planned.step !== 'after') continue
    await lease.report(50 + (index * 50) / steps.length, `Running ${textOfStep(planned.step)}`)
    const mayBegin = !agent.stopping.aborted && !lease.cancelled.aborted
    // Between two steps the software is half removed: once started, the work is finished.
    if (index === 0 && !mayBegin) return undefined
    const end = await runStep(agent, begun, planned, {
      isFirst: index === 0,
      isAfterUninstall: steps[index - 1]?.step === 'uninstall',
    })
    if (end === undefined) return undefined
    if (typeof end === 'string' && !steps.slice(index + 1).some(({ step }) => step === 'after'))
      return failedResult(begun, ended.errorText ?? end)
    const last = typeof end === 'string' ? notRun(end) : end
    const output = (ended.output + last.output).slice(-65_536).toWellFormed()
    const rebootRequired = ended.rebootRequired || last.outcome === 'reboot'
    // The first failure is what people need to know.
    if (ended.outcome === 'failed') Object.assign(ended, { output, rebootRequired })
    else Object.assign(ended, toEnded(begun, planned, last), { output, rebootRequired })
  }
  // The command has staged another version of the agent, which reports the result after its trial.
  if (ended.outcome !== 'failed' && (await findOutcome(agent.platform, item.workId))?.state === 'OnTrial')
    return undefined
  if (ended.rebootRequired) await recordRebootRequired(agent.state, `${item.package.name} ${item.package.version}`)
  if (ended.outcome !== 'failed' && item.package.kind === 'InventoryScan') await sendWholeInventory(agent)
  // Sent before the result: otherwise patches that the fix could not install would make it due again at once.
  if (item.package.kind === 'PatchFix') {
    await recordRollbacks(agent, begun.work, { folder: subject.folder, isFailed: ended.outcome === 'failed' })
    await refreshPatchScan(agent)
  }
  if (ended.outcome !== 'failed' && item.package.kind === 'PatchScan') {
    const errorText = await sendPatchScanOrError(agent)
    if (errorText !== null) Object.assign(ended, { outcome: 'failed', errorText })
  }
  // The exit code of a fix does not say which patch failed, and that of a package manager not why.
  const isExplained = item.package.kind === 'PatchFix' || declarationOf(begun.work).source !== undefined
  if (ended.errorText !== null && isExplained) ended.errorText = addLastLines(ended.errorText, ended.output)
  const detected = await detectSoftware(agent.platform, subject, begun.detect)
  const verdict = judgeResult(item.kind, ended, detected)
  return buildResult(begun, ended, verdict)
}

const notRun = (errorText: string): CommandEnd => ({ outcome: 'failed', exitCode: null, output: '', errorText })

/** How a step has ended. The message of one around the patches says which it was. */
function toEnded(begun: Begun, planned: PlannedStep, end: CommandEnd) {
  const isAround = planned.step === 'before' || planned.step === 'after'
  const errorText =
    isAround && end.errorText !== null ? `In ${textOfStep(planned.step)}: ${end.errorText}` : end.errorText
  return { ...end, errorText, commandLine: redactedLine(begun, planned) }
}

/** The scan has succeeded even if its sections can only be sent at the next contact. */
async function sendWholeInventory(agent: Agent): Promise<void> {
  await sendInventory(agent).catch((error: unknown) => log(`The inventory could not be sent. ${messageOf(error)}`))
}

import type { ResultReport } from '../../../features/deployments/record-result.ts'
import { type CommandLines, toManifestCode, unixCommandLines, windowsCommandLines } from './commands.ts'
import type { JobPlan, PlannedStep } from './job-plan.ts'

export type JobEnd = {
  isOk: boolean
  /** The number of the action at which it ended, if it was at one. */
  action: number | null
  message: string
  exitCodes: Record<string, number>
  output: string
}

// Exit codes after a timeout: of `timeout`, of the SIGKILL that follows, and of Perl's alarm; Windows has its own.
const timeoutCodes = { unix: [124, 137, 142], windows: [293] }

/** Translates the end of a job into the result that the Muster agent would report. */
export function buildResultReport(plan: JobPlan, attempt: number, end: JobEnd): ResultReport {
  const lines = plan.isWindows ? windowsCommandLines : unixCommandLines
  const step = lastStep(plan, end)
  const observed = step === undefined ? undefined : end.exitCodes[step.action]
  const common = {
    attempt,
    exitCode: observed === undefined ? null : toStepCode(observed, lines, step),
    commandLine: step?.commandLine ?? null,
    output: end.output,
    rebootRequired: plan.steps.some((one) => includesObserved(end.exitCodes[one.action], lines, one.rebootCodes)),
  }
  const wanted = plan.kind === 'Uninstall' ? 'Uninstalled' : 'Installed'
  if (!end.isOk)
    return { ...common, status: 'Failed', installationState: null, errorText: formatFailure(plan, end, step, observed) }
  const isInstalled = detectPresence(plan, end, lines)
  // The detect command may fail until the computer has restarted.
  if (isInstalled === undefined || common.rebootRequired || isInstalled === (wanted === 'Installed'))
    return { ...common, status: 'Success', installationState: wanted, errorText: null }
  const finding = isInstalled ? 'still finds the software' : 'does not find the software'
  return {
    ...common,
    status: 'Failed',
    installationState: isInstalled ? 'Installed' : 'NotInstalled',
    errorText: `The command ended with success, but the detect command ${finding}.`,
  }
}

function lastStep({ steps }: JobPlan, { action, isOk }: JobEnd): PlannedStep | undefined {
  return isOk ? steps.at(-1) : steps.find((step) => step.action === action)
}

function toStepCode(observed: number, lines: CommandLines, step: PlannedStep | undefined): number {
  return toManifestCode(observed, lines, step ? [...step.successCodes, ...step.rebootCodes] : [])
}

function includesObserved(observed: number | undefined, lines: CommandLines, codes: readonly number[]): boolean {
  return observed !== undefined && codes.some((code) => lines.observedCode(code) === observed)
}

function detectPresence({ detect }: JobPlan, { exitCodes }: JobEnd, lines: CommandLines): boolean | undefined {
  const observed = detect ? exitCodes[detect.action] : undefined
  return detect && observed !== undefined ? includesObserved(observed, lines, detect.successCodes) : undefined
}

function formatFailure(
  plan: JobPlan,
  end: JobEnd,
  step: PlannedStep | undefined,
  observed: number | undefined,
): string {
  if (!step || observed === undefined) return end.message || 'The agent reported no reason for the failure.'
  if (timeoutCodes[plan.isWindows ? 'windows' : 'unix'].includes(observed))
    return `The command was stopped after ${plan.isWindows ? 120 : step.timeLimitMinutes} minutes.`
  return `The command ended with the code ${observed}.`
}

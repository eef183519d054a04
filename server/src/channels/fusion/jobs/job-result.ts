import type { ResultReport } from '../../../features/deployments/record-result.ts'
import { type CommandLines, meantCode, unixLines, windowsLines } from './commands.ts'
import type { Plan, PlannedStep } from './job-plan.ts'

export type JobEnd = {
  isOk: boolean
  /** The number of the action at which it ended, if it was at one. */
  action: number | null
  message: string
  exitCodes: Record<string, number>
  output: string
}

// Of `timeout`, of the signal after it, and of the alarm of Perl; Windows has one of its own.
const endedCodes = { unix: [124, 137, 142], windows: [293] }

/** What the end of a job says about the work, as our own agent would report it. */
export function verdictOf(plan: Plan, attempt: number, end: JobEnd): ResultReport {
  const lines = plan.isWindows ? windowsLines : unixLines
  const step = lastStep(plan, end)
  const seen = step === undefined ? undefined : end.exitCodes[step.action]
  const ended = {
    attempt,
    exitCode: seen === undefined ? null : meantOf(seen, lines, step),
    commandLine: step?.commandLine ?? null,
    output: end.output,
    rebootRequired: plan.steps.some((one) => isIn(end.exitCodes[one.action], lines, one.rebootCodes)),
  }
  const wanted = plan.kind === 'Uninstall' ? 'Uninstalled' : 'Installed'
  if (!end.isOk)
    return { ...ended, status: 'Failed', installationState: null, errorText: failureText(plan, end, step, seen) }
  const isPresent = presenceOf(plan, end, lines)
  // Before the restart that a command asks for, nothing can be seen of its success.
  if (isPresent === undefined || ended.rebootRequired || isPresent === (wanted === 'Installed'))
    return { ...ended, status: 'Success', installationState: wanted, errorText: null }
  const sight = isPresent ? 'still finds the software' : 'does not find the software'
  return {
    ...ended,
    status: 'Failed',
    installationState: isPresent ? 'Installed' : 'NotInstalled',
    errorText: `The command ended with success, but the detect command ${sight}.`,
  }
}

function lastStep({ steps }: Plan, { action, isOk }: JobEnd): PlannedStep | undefined {
  return isOk ? steps.at(-1) : steps.find((step) => step.action === action)
}

function meantOf(seen: number, lines: CommandLines, step: PlannedStep | undefined): number {
  return meantCode(seen, lines, step ? [...step.successCodes, ...step.rebootCodes] : [])
}

function isIn(seen: number | undefined, lines: CommandLines, codes: readonly number[]): boolean {
  return seen !== undefined && codes.some((code) => lines.seenCode(code) === seen)
}

function presenceOf({ detect }: Plan, { exitCodes }: JobEnd, lines: CommandLines): boolean | undefined {
  const seen = detect ? exitCodes[detect.action] : undefined
  return detect && seen !== undefined ? isIn(seen, lines, detect.successCodes) : undefined
}

function failureText(plan: Plan, end: JobEnd, step: PlannedStep | undefined, seen: number | undefined): string {
  if (!step || seen === undefined) return end.message || 'The agent did not say why it failed.'
  if (endedCodes[plan.isWindows ? 'windows' : 'unix'].includes(seen))
    return `The command was ended after ${plan.isWindows ? 120 : step.timeLimitMinutes} minutes.`
  return `The command ended with the code ${seen}.`
}

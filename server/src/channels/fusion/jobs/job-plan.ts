import type { ManifestCommand } from '@muster/package-format'
import type { PackageWorkKind } from '../../../features/work-states/work-states.ts'
import type { CommandLines } from './commands.ts'

import type { JobCommands } from './job-commands.ts'

/** What the actions of a job are, stored with the job to interpret its callbacks. */
export type JobPlan = {
  kind: PackageWorkKind
  isWindows: boolean
  steps: PlannedStep[]
  /** The last action, which checks whether the software is installed. */
  detect: { action: number; successCodes: number[] } | null
}

export type PlannedStep = {
  /** The number of the action. */
  action: number
  commandLine: string
  timeLimitMinutes: number
  successCodes: number[]
  rebootCodes: number[]
}

export type PlannedAction = { name: string; exec: string; okCodes: number[] | null }

/** The commands of a work item in their order, numbered from `first`; or why the package has none. */
export function buildPlan(
  kind: PackageWorkKind,
  commands: JobCommands,
  { lines, isWindows, first }: { lines: CommandLines; isWindows: boolean; first: number },
): { plan: JobPlan; actions: PlannedAction[] } | string {
  if (kind === 'Trial') return 'Only the agent of Muster can try packages.'
  const { install, uninstall, detect } = commands
  const main = kind === 'Uninstall' ? uninstall : kind === 'Update' ? (commands.update ?? install) : install
  if (!main) return `The package has no command to ${kind === 'Uninstall' ? 'uninstall' : 'install'} it.`
  const actions: PlannedAction[] = []
  const steps: PlannedStep[] = []
  const add = (name: string, command: ManifestCommand, exec: string) => {
    const { successCodes = [0], rebootCodes = [], timeLimitMinutes = 60 } = command
    const okCodes = [...successCodes, ...rebootCodes].map((code) => lines.observedCode(code))
    steps.push({
      action: first + actions.length,
      commandLine: formatCommandLine(command),
      timeLimitMinutes,
      successCodes,
      rebootCodes,
    })
    actions.push({ name, exec, okCodes: [...new Set(okCodes)] })
  }
  if (kind === 'Reinstall' && uninstall && detect) {
    actions.push({ name: 'look', exec: lines.markPresence(detect), okCodes: null })
    add('uninstall', uninstall, lines.runIfPresent(uninstall))
  }
  add(kind.toLowerCase(), main, lines.run(main))
  const finalCheck = detect ? { action: first + actions.length, successCodes: detect.successCodes ?? [0] } : null
  if (detect) actions.push({ name: 'detect', exec: lines.run(detect), okCodes: null })
  return { plan: { kind, isWindows, steps, detect: finalCheck }, actions }
}

function formatCommandLine({ argv, shell }: ManifestCommand): string {
  return argv ? argv.join(' ') : (shell ?? '')
}

/** Whether the exit code of the action with this number counts for the result of the job. */
export function isPlannedAction({ steps, detect }: JobPlan, action: number | null): action is number {
  return detect?.action === action || steps.some((step) => step.action === action)
}

/** How long an agent may stay silent about a job, because all its commands run to their limits. */
export function maxSilenceSeconds({ steps }: JobPlan): number {
  return steps.reduce((sum, { timeLimitMinutes }) => sum + timeLimitMinutes * 60, 0)
}

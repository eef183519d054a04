import type { PackageCommand } from '../../../features/packages/manifest.ts'
import type { Static } from '../../../platform/schema.ts'
import type { CommandLines } from './commands.ts'

type Command = Static<typeof PackageCommand>
type Commands = Partial<Record<string, Command>>

export type WorkKind = 'Install' | 'Update' | 'Uninstall' | 'Reinstall'

/** What the actions of a job are, so that its callbacks can be understood. */
export type Plan = {
  kind: WorkKind
  isWindows: boolean
  steps: PlannedStep[]
  /** Looks whether the software is there when all is done. */
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

/** The commands of a piece of work in their order, from action number `first` on; or why there are none. */
export function planOf(
  kind: WorkKind,
  commands: Commands,
  { lines, isWindows, first }: { lines: CommandLines; isWindows: boolean; first: number },
): { plan: Plan; actions: PlannedAction[] } | string {
  const { install, uninstall, detect } = commands
  const main = kind === 'Uninstall' ? uninstall : kind === 'Update' ? (commands.update ?? install) : install
  if (!main) return `The package has no command to ${kind === 'Uninstall' ? 'uninstall' : 'install'} it.`
  const actions: PlannedAction[] = []
  const steps: PlannedStep[] = []
  const add = (name: string, command: Command, exec: string) => {
    const { successCodes = [0], rebootCodes = [], timeLimitMinutes = 60 } = command
    const okCodes = [...successCodes, ...rebootCodes].map((code) => lines.seenCode(code))
    steps.push({
      action: first + actions.length,
      commandLine: lineOf(command),
      timeLimitMinutes,
      successCodes,
      rebootCodes,
    })
    actions.push({ name, exec, okCodes: [...new Set(okCodes)] })
  }
  if (kind === 'Reinstall' && uninstall && detect) {
    actions.push({ name: 'look', exec: lines.remember(detect), okCodes: null })
    add('uninstall', uninstall, lines.runIfPresent(uninstall))
  }
  add(kind.toLowerCase(), main, lines.run(main))
  const looking = detect ? { action: first + actions.length, successCodes: detect.successCodes ?? [0] } : null
  if (detect) actions.push({ name: 'detect', exec: lines.run(detect), okCodes: null })
  return { plan: { kind, isWindows, steps, detect: looking }, actions }
}

function lineOf({ argv, shell }: Command): string {
  return argv ? argv.join(' ') : (shell ?? '')
}

/** For how long nothing may be heard of the job, because its commands run. */
export function secondsOf({ steps }: Plan): number {
  return steps.reduce((sum, { timeLimitMinutes }) => sum + timeLimitMinutes * 60, 0)
}

import type { PackageWorkKind } from '../protocol.ts'
import type { Step } from '../state/journal.ts'
import type { ResolvedCommand, ResolvedCommands } from './declared/declaration.ts'

export type PlannedStep = { step: Step; command: ResolvedCommand }

/** The commands of a work item in their order, or the reason why there are none. */
export function planSteps(
  kind: PackageWorkKind,
  commands: ResolvedCommands,
  isPresent: boolean | undefined,
): PlannedStep[] | string {
  const steps = planMainSteps(kind, commands, isPresent)
  if (typeof steps === 'string' || kind === 'Uninstall') return steps
  const { before, after } = commands
  return [
    ...(before ? [{ step: 'before', command: before } as const] : []),
    ...steps,
    ...(after ? [{ step: 'after', command: after } as const] : []),
  ]
}

function planMainSteps(
  kind: PackageWorkKind,
  { install, update, uninstall }: ResolvedCommands,
  isPresent: boolean | undefined,
): PlannedStep[] | string {
  if (kind === 'Uninstall')
    return uninstall ? [{ step: 'uninstall', command: uninstall }] : 'The package has no uninstall command.'
  if (kind === 'Update' && update) return [{ step: 'update', command: update }]
  if (!install) return 'The package has no install command.'
  const installing: PlannedStep = { step: 'install', command: install }
  if (kind === 'Reinstall' && uninstall && isPresent) return [{ step: 'uninstall', command: uninstall }, installing]
  return [installing]
}

const stepTexts: Record<Step, string> = {
  uninstall: 'the command to uninstall',
  install: 'the command to install',
  update: 'the command to update',
  before: 'the step before the patches',
  after: 'the step after the patches',
}

/** What people call a step. */
export const textOfStep = (step: Step): string => stepTexts[step]

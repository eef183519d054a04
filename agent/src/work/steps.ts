import type { PackageCommand, PackageCommands, PackageWorkKind } from '../protocol.ts'
import type { Step } from '../state/journal.ts'

export type PlannedStep = { step: Step; command: PackageCommand }

/** The commands that make up a piece of work, in their order, or why there are none. */
export function stepsOf(
  kind: PackageWorkKind,
  { install, update, uninstall }: PackageCommands,
  isPresent: boolean | undefined,
): PlannedStep[] | string {
  if (kind === 'Uninstall')
    return uninstall ? [{ step: 'uninstall', command: uninstall }] : 'The package has no command to uninstall it.'
  if (kind === 'Update' && update) return [{ step: 'update', command: update }]
  if (!install) return 'The package has no command to install it.'
  const installing: PlannedStep = { step: 'install', command: install }
  if (kind === 'Reinstall' && uninstall && isPresent) return [{ step: 'uninstall', command: uninstall }, installing]
  return [installing]
}

import type { InstallationState, PackageWorkKind, WorkResult } from '../protocol.ts'
import type { RunningEntry } from '../state/journal.ts'
import type { CommandEnd } from './run-command.ts'

type Verdict = Pick<WorkResult, 'status' | 'installationState' | 'errorText'>

/** What the end of the last command and the look at the software say together. */
export function verdictOf(
  kind: PackageWorkKind,
  { outcome, errorText }: Pick<CommandEnd, 'outcome' | 'errorText'>,
  isPresent: boolean | undefined,
): Verdict {
  const wanted = kind === 'Uninstall' ? 'Uninstalled' : 'Installed'
  if (outcome === 'failed') return { status: 'Failed', installationState: stateOf(kind, isPresent), errorText }
  // Before the restart that the command asks for, nothing can be seen of its success.
  const isAsWanted = isPresent === undefined || isPresent === (wanted === 'Installed')
  if (outcome === 'reboot' || isAsWanted) return { status: 'Success', installationState: wanted, errorText: null }
  const sight = isPresent ? 'still finds the software' : 'does not find the software'
  return {
    status: 'Failed',
    installationState: stateOf(kind, isPresent),
    errorText: `The command ended with success, but the detect command ${sight}.`,
  }
}

/** What is to be done about work whose command was begun and whose end nobody saw. */
export function verdictAfterInterruption(entry: RunningEntry, isPresent: boolean | undefined): Verdict | 'again' {
  const installationState = stateOf(entry.kind, isPresent)
  const interrupted = (why: string): Verdict => ({
    status: 'Failed',
    installationState,
    errorText: `The work was interrupted: the agent ended while the command ran, and ${why}.`,
  })
  if (isPresent === undefined) return interrupted('nothing tells how far it came')
  const isDone = isPresent === (entry.kind !== 'Uninstall')
  if (entry.kind === 'Reinstall' && entry.step === 'install' && !entry.isAfterUninstall && isPresent)
    return interrupted('whether the software is the old or the new one cannot be told')
  if (isDone && !(entry.kind === 'Reinstall' && entry.step === 'uninstall'))
    return { status: 'Success', installationState, errorText: null }
  return entry.runs > 1 ? interrupted('this happened twice') : 'again'
}

function stateOf(kind: PackageWorkKind, isPresent: boolean | undefined): InstallationState | null {
  if (isPresent === undefined) return null
  if (isPresent) return 'Installed'
  return kind === 'Uninstall' ? 'Uninstalled' : 'NotInstalled'
}

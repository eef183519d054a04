import type { InstallationState, PackageWorkKind, WorkResult } from '../protocol.ts'
import type { RunningEntry } from '../state/journal.ts'
import type { Detected } from './detect.ts'
import type { CommandEnd } from './run-command.ts'

export type Verdict = Pick<WorkResult, 'status' | 'installationState' | 'errorText'>

/** Judges the result from the last command and from the detection of the software. */
export function judgeResult(
  kind: PackageWorkKind,
  { outcome, errorText }: Pick<CommandEnd, 'outcome' | 'errorText'>,
  { isPresent, fault }: Detected,
): Verdict {
  const intended = kind === 'Uninstall' ? 'Uninstalled' : 'Installed'
  if (outcome === 'failed') return { status: 'Failed', installationState: stateOf(kind, isPresent), errorText }
  if (fault !== undefined && outcome !== 'reboot')
    return {
      status: 'Failed',
      installationState: null,
      errorText: `The command succeeded, but whether the software is installed cannot be determined: ${fault}.`,
    }
  // If the command requires a restart, its success cannot be detected before.
  const isAsIntended = isPresent === undefined || isPresent === (intended === 'Installed')
  if (outcome === 'reboot' || isAsIntended) return { status: 'Success', installationState: intended, errorText: null }
  const finding = isPresent ? 'still finds the software' : 'does not find the software'
  return {
    status: 'Failed',
    installationState: stateOf(kind, isPresent),
    errorText: `The command succeeded, but the detection ${finding}.`,
  }
}

/** Decides about work whose command was started and whose end the agent did not see. */
export function judgeInterruption(entry: RunningEntry, isPresent: boolean | undefined): Verdict | 'again' {
  const installationState = stateOf(entry.kind, isPresent)
  const interrupted = (why: string): Verdict => ({
    status: 'Failed',
    installationState,
    errorText: `The work was interrupted: the agent stopped while the command was running, and ${why}.`,
  })
  if (isPresent === undefined) return interrupted('its progress cannot be determined')
  const isDone = isPresent === (entry.kind !== 'Uninstall')
  if (entry.kind === 'Reinstall' && entry.step === 'install' && !entry.isAfterUninstall && isPresent)
    return interrupted('the old and the new software cannot be distinguished')
  if (isDone && !(entry.kind === 'Reinstall' && entry.step === 'uninstall'))
    return { status: 'Success', installationState, errorText: null }
  return entry.runs > 1 ? interrupted('this happened twice') : 'again'
}

function stateOf(kind: PackageWorkKind, isPresent: boolean | undefined): InstallationState | null {
  if (isPresent === undefined) return null
  if (isPresent) return 'Installed'
  return kind === 'Uninstall' ? 'Uninstalled' : 'NotInstalled'
}

import type { WorkResult } from '../protocol.ts'
import type { Draws } from '../random.ts'
import type { Platform } from '../scenario.ts'
import type { Outcome } from './outcome.ts'

type TrialReport = NonNullable<WorkResult['trial']>
type TrialStep = TrialReport['steps'][number]

/** What half of the packages leave behind. */
const leftovers: Record<Platform, TrialReport['leftovers'][number]> = {
  windows: { kind: 'Folder', name: 'C:\\ProgramData\\Example' },
  linux: { kind: 'File', name: '/etc/example.conf' },
  macos: { kind: 'Folder', name: '/Library/Application Support/Example' },
}

type SimulatedTrial = {
  /** How the installation ended. */
  outcome: Outcome
  uninstallLine: string
  platform: Platform
  draws: Draws
  /** When the trial began and ended, by the clock of the computer. */
  times: Pick<WorkResult, 'startedUtc' | 'finishedUtc'>
}

/** The outcome of a trial: the installation takes two thirds of the time, and what it installs is uninstalled again. */
export function toTrialOutcome({ outcome, uninstallLine, platform, draws, times }: SimulatedTrial): Outcome {
  const [start, end] = [Date.parse(times.startedUtc), Date.parse(times.finishedUtc)]
  const halfUtc = new Date(start + (2 * (end - start)) / 3).toISOString()
  const { commandLine, exitCode, output, errorText } = outcome
  const isSuccess = outcome.status === 'Success'
  // Nothing ran on a computer that the package is not for.
  if (commandLine === null) return outcome
  const install: TrialStep = {
    ...{ step: 'Install', startedUtc: times.startedUtc, finishedUtc: isSuccess ? halfUtc : times.finishedUtc },
    ...{ commandLine, exitCode, output, errorText, detectedBefore: false, detectedAfter: isSuccess },
  }
  const uninstall: TrialStep = {
    ...{ step: 'Uninstall', startedUtc: halfUtc, finishedUtc: times.finishedUtc, commandLine: uninstallLine },
    ...{ exitCode: 0, output: 'Removed.\n', errorText: null, detectedBefore: true, detectedAfter: false },
  }
  const left = isSuccess && draws.happens(0.5) ? [leftovers[platform]] : []
  return {
    ...outcome,
    installationState: null,
    output: '',
    trial: {
      steps: isSuccess ? [install, uninstall] : [install],
      ...{ leftovers: left, leftoverCount: left.length, leftoversComplete: true },
    },
  }
}

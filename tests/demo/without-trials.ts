import { trialCancelReasons } from '../../server/src/features/package-trials/trial-rows.ts'

/** The demo has a trial that succeeded, and one that a rollout has replaced. */
export const unseenTrialValues: string[] = [
  'LastPackageTrial.state=Failed',
  'PackageTrialState=Failed',
  // Over in a moment.
  'PackageTrialState=Running',
  ...['progress', 'cancelReason', 'errorText'].map((name) => `PackageTrial.${name}`),
  ...['progress', 'errorText'].map((name) => `PackageTrialSummary.${name}`),
  'TrialStep.errorText',
  ...['File', 'Package', 'Program', 'Service'].map((kind) => `TrialLeftover.kind=${kind}`),
  ...['reason', 'untilUtc', 'message'].map((name) => `PackageTrialBlocker.${name}`),
  ...trialCancelReasons.filter((reason) => reason !== 'NewRequest').map((reason) => `TrialCancelReason=${reason}`),
]

export const unusedTrialColumns = ['package_trials.error_text']

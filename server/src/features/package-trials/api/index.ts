import type { AnyOperation } from '../../../platform/operation.ts'
import { cancelPackageTrial } from './cancel-package-trial.ts'
import { getPackageTrial } from './get-package-trial.ts'
import { listPackageTrials } from './list-package-trials.ts'
import { startPackageTrial } from './start-package-trial.ts'

export const packageTrialsApi: readonly AnyOperation[] = [
  startPackageTrial,
  listPackageTrials,
  getPackageTrial,
  cancelPackageTrial,
]

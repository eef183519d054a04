import type { AnyOperation } from '../../../platform/operation.ts'
import { cancelPackageTrial } from './cancel-package-trial.ts'
import { createPackageTrial } from './create-package-trial.ts'
import { getPackageTrial } from './get-package-trial.ts'
import { listPackageTrials } from './list-package-trials.ts'

export const packageTrialsApi: readonly AnyOperation[] = [
  createPackageTrial,
  listPackageTrials,
  getPackageTrial,
  cancelPackageTrial,
]

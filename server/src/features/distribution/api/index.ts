import type { AnyOperation } from '../../../platform/operation.ts'
import { deleteDistributionOptions } from './delete-distribution-options.ts'
import { getDistributionOptions } from './get-distribution-options.ts'
import { setDistributionOptions } from './set-distribution-options.ts'

export const distributionApi: readonly AnyOperation[] = [
  getDistributionOptions,
  setDistributionOptions,
  deleteDistributionOptions,
]

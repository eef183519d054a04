import type { AnyOperation } from '../../../platform/operation.ts'
import { getDistributionOptions } from './get-distribution-options.ts'
import { removeDistributionOptions } from './remove-distribution-options.ts'
import { setDistributionOptions } from './set-distribution-options.ts'

export const distributionApi: readonly AnyOperation[] = [
  getDistributionOptions,
  setDistributionOptions,
  removeDistributionOptions,
]

import type { AnyOperation } from '../../../platform/operation.ts'
import { getDistributionOptions } from './get-distribution-options.ts'
import { getGroupDepotServers } from './get-group-depot-servers.ts'
import { setDistributionOptions } from './set-distribution-options.ts'
import { setGroupDepotServers } from './set-group-depot-servers.ts'

export const groupDistribution: readonly AnyOperation[] = [
  getDistributionOptions,
  setDistributionOptions,
  getGroupDepotServers,
  setGroupDepotServers,
]

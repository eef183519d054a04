import type { LaneName } from '../../database/lanes.ts'
import type { AnyOperation } from '../operation.ts'

/** The lane whose connections the operation uses. `channelLane` is that of the operations of a channel. */
export function laneOf(operation: AnyOperation, channelLane?: LaneName): LaneName {
  if (operation.checksCredential) return 'contacts'
  if (operation.isLong || operation.stepwise) return 'longWork'
  if (operation.fleetWide) return 'fleetReads'
  if (channelLane) return channelLane
  if (operation.role === 'no token') return 'signIn'
  return operation.mutates ? 'writes' : 'reads'
}

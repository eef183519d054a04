import type { LaneName } from '../../database/lanes.ts'
import type { AnyOperation } from '../operation.ts'

/** The lane whose connections the operation uses. `channelLane` is that of the operations of a channel. */
export function laneOf(operation: AnyOperation, channelLane?: LaneName): LaneName {
  switch (operation.execution.kind) {
    case 'Contact':
      return 'contacts'
    case 'LongChange':
    case 'StepwiseChange':
      return 'longWork'
    case 'FleetRead':
      return 'fleetReads'
  }
  if (channelLane) return channelLane
  if (operation.role === 'no token') return 'signIn'
  return operation.mutates ? 'writes' : 'reads'
}

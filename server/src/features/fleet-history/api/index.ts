import type { AnyOperation } from '../../../platform/operation.ts'
import { getFleetHistory } from './get-fleet-history.ts'

export const fleetHistoryApi: readonly AnyOperation[] = [getFleetHistory]

import type { AnyOperation } from '../../../platform/operation.ts'
import { exportFleetComputers } from './export-fleet-computers.ts'
import { getComputerFacets } from './get-computer-facets.ts'
import { listFleetComputers } from './list-fleet-computers.ts'

export const fleetApi: readonly AnyOperation[] = [listFleetComputers, getComputerFacets, exportFleetComputers]

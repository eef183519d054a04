import type { AnyOperation } from '../../../platform/operation.ts'
import { exportFleetComputers } from './export-fleet-computers.ts'
import { getComputerFacets } from './get-computer-facets.ts'
import { getComputerPage } from './get-computer-page.ts'
import { getFleetOverview } from './get-fleet-overview.ts'
import { getGroupPage } from './get-group-page.ts'
import { getPackagePage } from './get-package-page.ts'
import { listComputerEvents } from './list-computer-events.ts'
import { listFleetComputers } from './list-fleet-computers.ts'
import { listFleetGroups } from './list-fleet-groups.ts'
import { listFleetPackages } from './list-fleet-packages.ts'
import { listGroupCounts } from './list-group-counts.ts'

export const fleetApi: readonly AnyOperation[] = [
  getFleetOverview,
  listFleetComputers,
  getComputerFacets,
  listGroupCounts,
  exportFleetComputers,
  getComputerPage,
  listComputerEvents,
  listFleetGroups,
  getGroupPage,
  listFleetPackages,
  getPackagePage,
]

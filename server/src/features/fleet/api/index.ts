import type { AnyOperation } from '../../../platform/operation.ts'
import { exportFleetComputers } from './export-fleet-computers.ts'
import { listSoftwareNames } from './find/list-software-names.ts'
import { listSoftwareVersions } from './find/list-software-versions.ts'
import { searchFleet } from './find/search-fleet.ts'
import { getComputerFacets } from './get-computer-facets.ts'
import { getComputerPage } from './get-computer-page.ts'
import { getFleetOverview } from './get-fleet-overview.ts'
import { getGroupPage } from './get-group-page.ts'
import { getIssuePage } from './get-issue-page.ts'
import { getPackagePage } from './get-package-page.ts'
import { listComputerEvents } from './list-computer-events.ts'
import { listDuplicateNames } from './list-duplicate-names.ts'
import { listDuplicateUuids } from './list-duplicate-uuids.ts'
import { listFilterValues } from './list-filter-values.ts'
import { listFleetComputers } from './list-fleet-computers.ts'
import { listFleetGroups } from './list-fleet-groups.ts'
import { listFleetPackages } from './list-fleet-packages.ts'
import { listGroupCounts } from './list-group-counts.ts'
import { listGroupTree } from './list-group-tree.ts'
import { listIssueComputers } from './list-issue-computers.ts'
import { listPackageFailures } from './list-package-failures.ts'
import { exportPatchCompliance } from './patches/export-patch-compliance.ts'
import { getPatchGroupPage } from './patches/get-patch-group-page.ts'
import { getPatchOverview } from './patches/get-patch-overview.ts'
import { getPatchPage } from './patches/get-patch-page.ts'
import { listEmergencyCandidates } from './patches/list-emergency-candidates.ts'
import { listFleetPatches } from './patches/list-fleet-patches.ts'
import { listPatchCompliance } from './patches/list-patch-compliance.ts'
import { listTimeline } from './tasks/list-timeline.ts'

export const fleetApi: readonly AnyOperation[] = [
  getFleetOverview,
  searchFleet,
  listFleetComputers,
  getComputerFacets,
  listGroupCounts,
  listFilterValues,
  exportFleetComputers,
  getComputerPage,
  listComputerEvents,
  listDuplicateUuids,
  listDuplicateNames,
  listFleetGroups,
  listGroupTree,
  getGroupPage,
  listFleetPackages,
  getPackagePage,
  listPackageFailures,
  listSoftwareVersions,
  listSoftwareNames,
  getIssuePage,
  listIssueComputers,
  listTimeline,
  getPatchOverview,
  listPatchCompliance,
  exportPatchCompliance,
  listFleetPatches,
  getPatchPage,
  getPatchGroupPage,
  listEmergencyCandidates,
]

import { issueSweep } from '../issue-sweep.ts'
import { softwareDrift } from '../software-drift.ts'

export const listDriftedSoftwareComputers = issueSweep(softwareDrift, {
  id: 'listDriftedSoftwareComputers',
  route: 'GET /api/computer/issues/software-drift',
  item: 'DriftedSoftwareComputer',
  summary: 'List computers on which deployed software is removed or replaced by hand again and again',
  description:
    'Reports packages of groups that are kept converged which scans have found removed or replaced at least twice ' +
    '(`minTimes`) within 30 days (`maxDaysAgo`).',
  extension: true,
})

import { ok, operation } from '../../../platform/operation.ts'
import { getLatestStatistics } from '../latest-statistics.ts'
import { FleetStatistics } from './statistics-schemas.ts'

export const getFleetStatistics = operation({
  id: 'getFleetStatistics',
  route: 'GET /api/computer/statistics',
  summary: 'Get the counts of the fleet for a dashboard',
  description:
    'A background job counts a small fleet every few seconds and a large one about once a minute. It counts a huge fleet ' +
    'less often, because counting may take at most 5 % of the time. `ageSeconds` is the age of the counts. All ' +
    'properties are null until the first count is complete. Issues are counted by the default thresholds of the sweeps, ' +
    'and the health follows from them as in getComputerHealth.',
  role: 'computer.read',
  extension: true,
  returns: ok(FleetStatistics),
  handle: ({ db }) => getLatestStatistics(db),
})

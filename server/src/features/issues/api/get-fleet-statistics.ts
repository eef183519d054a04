import { sql } from 'kysely'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { ok, operation } from '../../../platform/operation.ts'
import type { FleetCounts } from '../fleet-statistics.ts'
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
  async handle({ db }) {
    const [statistics] = await latestStatistics(db, null)
    return statistics ?? { calculatedAtUtc: null, ageSeconds: null, counts: null }
  },
})

const latestStatistics = preparedStatement((db, _: null) =>
  db
    .selectFrom('fleet_statistics')
    .select([
      'calculated_at as calculatedAtUtc',
      sql<number>`floor(extract(epoch from now() - calculated_at))::integer`.as('ageSeconds'),
      sql<FleetCounts>`counts`.as('counts'),
    ])
    .compile(),
)

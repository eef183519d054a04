import { sql } from 'kysely'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { ok, operation } from '../../../platform/operation.ts'
import type { FleetCounts } from '../fleet-statistics.ts'
import { FleetStatistics } from './statistics-schemas.ts'

export const getFleetStatistics = operation({
  id: 'getFleetStatistics',
  route: 'GET /api/computer/statistics',
  summary: 'Read the counts of the fleet for a dashboard',
  description:
    'They are counted in the background, about once a minute, and at most a twentieth of the time: `ageSeconds` tells how ' +
    'old they are. Before the first count, all of it is null.',
  role: 'computer.read',
  extension: true,
  returns: ok(FleetStatistics),
  async handle({ db }) {
    const [found] = await lastCounts(db, null)
    return found ?? { calculatedAtUtc: null, ageSeconds: null, counts: null }
  },
})

const lastCounts = preparedStatement((db, _: null) =>
  db
    .selectFrom('fleet_statistics')
    .select([
      'calculated_at as calculatedAtUtc',
      sql<number>`floor(extract(epoch from now() - calculated_at))::integer`.as('ageSeconds'),
      sql<FleetCounts>`counts`.as('counts'),
    ])
    .compile(),
)

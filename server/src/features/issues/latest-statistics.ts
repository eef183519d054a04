import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import type { FleetCounts } from './fleet-statistics.ts'

/** The latest counts of the fleet with their age; nulls before the first count. */
export async function getLatestStatistics(db: Database) {
  const [statistics] = await latestStatistics(db, null)
  return statistics ?? { calculatedAtUtc: null, ageSeconds: null, counts: null }
}

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

import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'

export type StateAge = { calculatedAtUtc: Date | null; ageSeconds: number | null }

/** When the states of the computers were last recorded. */
export async function getStateAge(db: Database): Promise<StateAge> {
  const [age] = await latestCount(db, null)
  return age ?? { calculatedAtUtc: null, ageSeconds: null }
}

const latestCount = preparedStatement((db, _: null) =>
  db
    .selectFrom('fleet_statistics')
    .select([
      'calculated_at as calculatedAtUtc',
      sql<number>`floor(extract(epoch from now() - calculated_at))::integer`.as('ageSeconds'),
    ])
    .compile(),
)

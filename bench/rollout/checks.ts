import { sql } from 'kysely'
import type { Database } from '../../server/src/database/connect.ts'
import { reportTarget } from '../target.ts'
import type { WorkFigures } from './work-load.ts'

type Counts = { work: number; succeeded: number; installed: number; events: number; attempts: number }

/** Compares what the agents have done with what the database says about it: nothing is lost, and nothing done twice. */
export async function checkResults(db: Database, items: number, agents: WorkFigures): Promise<void> {
  const { rows } = await sql<Counts>`
    select (select count(*) from work) as work, (select count(*) from work where state = 'Success') as succeeded,
      (select sum(attempt) from work) as attempts,
      (select count(*) from deployments where installation_state = 'Installed' and result = 'Success') as installed,
      (select count(*) from distribution_events where result = 'Success') as events`.execute(db)
  const [counts] = rows
  const found = { ...counts, results: agents.results }
  reportTarget(
    `${items} work items; ${Object.entries(found)
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ')}; repeated results: ${agents.repeated}; nothing is lost or done twice`,
    agents.repeated === 0 && Object.values(found).every((count) => Number(count) === items),
  )
}

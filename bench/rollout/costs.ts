import { sql } from 'kysely'
import type { Database } from '../../server/src/database/connect.ts'
import type { Node } from '../nodes.ts'
import { getPostmaster, processorSecondsOf } from '../processor-time.ts'
import { resetStatementStatistics } from '../statement-statistics.ts'

export type Costs = {
  seconds: number
  /** Processor seconds, without those of the load. */
  service: number
  database: number
  statements: number
  rows: number
}

/** Begins to count what the service and the database spend. */
export async function startCosts(db: Database, node: Node): Promise<{ end(): Promise<Costs> }> {
  const postmaster = await getPostmaster(db)
  const used = () => Promise.all([node.pid, postmaster].map(processorSecondsOf))
  await resetStatementStatistics(db)
  const start = performance.now()
  const before = await used()
  return {
    async end() {
      const [after, seconds] = [await used(), (performance.now() - start) / 1_000]
      const spent = (at: number) => (after[at] ?? 0) - (before[at] ?? 0)
      return { seconds, service: spent(0), database: spent(1), ...(await countStatements(db)) }
    },
  }
}

async function countStatements(db: Database): Promise<{ statements: number; rows: number }> {
  const { rows } = await sql<{ statements: number; rows: number }>`
    select sum(calls)::float8 as statements, sum(rows)::float8 as rows from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows[0] ?? { statements: 0, rows: 0 }
}

/** What was spent beyond a load that went on beside it, and that was measured alone before. */
export function subtractLoad(costs: Costs, load: Costs): Costs {
  const beyond = (key: 'service' | 'database' | 'statements' | 'rows') =>
    Math.max(0, costs[key] - (load[key] / load.seconds) * costs.seconds)
  return {
    seconds: costs.seconds,
    service: beyond('service'),
    database: beyond('database'),
    statements: beyond('statements'),
    rows: beyond('rows'),
  }
}

export const processorSecondsIn = ({ service, database }: Costs) => service + database

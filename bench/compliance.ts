import { sql } from 'kysely'
import { refreshFleetStatistics } from '../server/src/features/issues/fleet-statistics.ts'
import { recordPatchCompliance } from '../server/src/features/issues/states/group-patch-compliance.ts'
import { withPatchedFleet } from './patches.ts'
import { round } from './round.ts'
import { reportTarget } from './target.ts'

/** In milliseconds, for the median of a page of 50 groups. */
const pageTarget = 100
const repetitions = 9

/** The count of the compliance of all groups, the pages that read it, and why a computer is not within the SLA. */
export async function benchCompliance(): Promise<void> {
  await withPatchedFleet(async ({ app, headers, database: { db } }) => {
    await sql`update patches set release_date = current_date - id % 1825`.execute(db)
    await sql`vacuum analyze patches`.execute(db)
    const times: Record<string, { ms: number; slowest?: number }> = {}
    const measure = async (name: string, run: () => Promise<unknown>, count = 1) => {
      const taken: number[] = []
      for (let at = 0; at < count; at++) {
        const start = performance.now()
        await run()
        taken.push(performance.now() - start)
      }
      const sorted = taken.toSorted((a, b) => a - b)
      const median = round(sorted[Math.floor(count / 2)] ?? 0)
      times[name] = count > 1 ? { ms: median, slowest: round(sorted.at(-1) ?? 0) } : { ms: median }
      return median
    }
    const get = async (url: string) => {
      const { statusCode, body } = await app.http.inject({ method: 'GET', url, headers })
      if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${body}`)
    }
    await measure('the first count of the fleet', () => refreshFleetStatistics(db))
    await measure('the next count of the fleet', () => refreshFleetStatistics(db))
    const count = () => db.transaction().execute(recordPatchCompliance)
    await measure('of which the compliance of groups', count, 3)
    const page = await measure('50 groups', () => get('/api/fleet/patch-compliance?top=50'), repetitions)
    await measure(
      'the same, filtered',
      () => get('/api/fleet/patch-compliance?severity=Critical&overdue=true'),
      repetitions,
    )
    await measure('all groups as CSV', () => get('/api/fleet/patch-compliance/csv'), repetitions)
    await measure('why a computer is not compliant', () => get('/api/computer/777/patch-compliance'), repetitions)
    console.table(times)
    const { rows } = await sql`
      select count(*)::integer as groups, sum(pg_column_size(cells))::integer as "bytes of cells",
        (select count(*)::integer from computer_patches where is_missing) as missing
      from group_patch_compliance`.execute(db)
    console.table(rows)
    reportTarget(`compliance of 50 groups: ${page} ms, at most ${pageTarget}`, page <= pageTarget)
  })
}

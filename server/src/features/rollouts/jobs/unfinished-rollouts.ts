import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { sumOfEach } from '../../../jobs/sum-of-each.ts'
import { continueRollout } from '../continue-rollout.ts'

/** Continues all rollouts every few seconds. Any number of nodes may do so at once. */
export function continueRollouts(db: Database): PeriodicTask {
  return {
    name: 'continue rollouts',
    intervalSeconds: 5,
    runsAtStart: true,
    // Results of a large ring take a while to count, and contacts come first.
    maxShareOfTime: 0.1,
    run: (signal) => continueUnfinishedRollouts(db, signal),
  }
}

/** Continues each rollout that has not ended, and returns the number of computers that were released. */
export async function continueUnfinishedRollouts(db: Database, signal?: AbortSignal): Promise<number> {
  const { rows } = await sql<{ id: string }>`select id from rollouts where ended_at is null order by id`.execute(db)
  return sumOfEach(rows, ({ id }) => continueRollout(db, id, signal), signal)
}

/** Deletes rollouts that ended before the retention period of tasks. Returns how many. */
export async function purgeRollouts(db: Database, retentionDays: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from rollouts where ended_at < now() - make_interval(days => ${retentionDays})`.execute(db)
  return Number(numAffectedRows)
}

import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** Deletes old trials, except the last result of each package. Returns the number of trials. */
export async function purgeTrials(db: Database, retentionDays: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from package_trials trial
    where finished_at < now() - ${retentionDays}::integer * interval '1 day' and exists (
      select from package_trials later
      where later.package_id = trial.package_id and later.state in ('Succeeded', 'Failed')
        and (later.started_at, later.id) > (trial.started_at, trial.id))`.execute(db)
  return Number(numAffectedRows)
}

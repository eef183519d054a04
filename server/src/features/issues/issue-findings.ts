import { sql } from 'kysely'
import { advisoryLocks } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { affectedComputers, type Issue } from './issue.ts'
import { issues } from './issues.ts'

/** Issues of a small fleet are evaluated this often, those of a large one for 2 % of the time. */
const pauseSecondsAfter = (seconds: number) => Math.max(15, seconds * 50)

/**
 * Evaluates all issues with their default thresholds and stores which computers have them. Triggers make events of the
 * differences. Does nothing while another node does it or, with `onlyIfDue`, if the next evaluation is not due.
 */
export async function recordIssueFindings(
  db: Database,
  { onlyIfDue = false, signal }: { onlyIfDue?: boolean; signal?: AbortSignal } = {},
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isDue: boolean }>`
      select pg_try_advisory_xact_lock(${advisoryLocks.issueFindings}) and exists (
        select from issue_evaluation where not ${onlyIfDue}::boolean or due_at <= now()
      ) as "isDue", set_config('statement_timeout', '15min', true), set_config('jit', 'off', true)`.execute(tx)
    if (!rows[0]?.isDue) return false
    const start = performance.now()
    for (const issue of issues) {
      signal?.throwIfAborted()
      await recordFindings(tx, issue as Issue)
    }
    const pause = pauseSecondsAfter((performance.now() - start) / 1_000)
    await sql`update issue_evaluation set due_at = clock_timestamp() + make_interval(secs => ${pause})`.execute(tx)
    return true
  })
}

async function recordFindings(db: Database, issue: Issue): Promise<void> {
  await sql`
    with affected as materialized (${affectedComputers(issue, {})}), cleared as (
      delete from issue_findings finding
      where issue = ${issue.name} and not exists (
        select from affected where affected.computer_id = finding.computer_id)
    )
    insert into issue_findings (issue, computer_id)
    select ${issue.name}, computer_id from affected
    where not exists (
      select from issue_findings finding
      where finding.issue = ${issue.name} and finding.computer_id = affected.computer_id)
    order by computer_id`.execute(db)
}

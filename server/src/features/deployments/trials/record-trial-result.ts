import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { closeWork } from '../../work-states/close-work.ts'
import { recordReportEvent, recordSetupError } from '../record-deployment.ts'
import type { WorkItem } from '../work-items.ts'
import type { TrialReport } from './trial-report-schemas.ts'

/** How a trial ended, as its agent reports it. */
export type TrialResult = {
  status: 'Success' | 'Failed'
  exitCode: number | null
  commandLine: string | null
  output: string
  errorText: string | null
  /** Undefined if the agent did not begin, or does not know trials. */
  trial?: TrialReport | undefined
}

const outdatedAgent = 'The agent of the computer is too old to try packages. Update it, or choose another computer.'

/** How earlier agents refuse a work item of a kind that they do not know. Nothing ran then. */
const isOutdated = ({ errorText }: TrialResult) => errorText?.includes('does not support work of the kind') === true

/**
 * Records the result of a trial, which is final: a trial is not retried, and it leaves no deployment behind. If the trial was
 * cancelled meanwhile, it stays cancelled, and shows what the agent did nevertheless.
 */
export async function recordTrialResult(
  db: Database,
  item: WorkItem & { state: string },
  result: TrialResult,
): Promise<void> {
  const errorText = isOutdated(result) ? outdatedAgent : result.errorText
  await sql`
    update package_trials set error_text = ${errorText}, content_hash = ${item.content_hash},
      report = ${result.trial ? JSON.stringify(result.trial) : null}::jsonb
    where work_id = ${item.id}`.execute(db)
  if (item.state === 'Leased') await closeWork(result.status, 'Agent', sql`where id = ${item.id}`).execute(db)
  else await sql`update work set run_id = null where id = ${item.id}`.execute(db)
  if (result.status === 'Failed') await recordSetupError(db, item, { ...result, output: failedOutput(result) })
  await recordReportEvent(db, item, result.status, result.commandLine)
}

/** The setup error log shows what the command printed that failed. */
function failedOutput({ trial, output, errorText }: TrialResult): string {
  return trial?.steps.find((step) => step.errorText !== null)?.output || output || (errorText ?? '')
}

/** Records why the service has failed a trial without a report. */
export async function recordTrialFailure(db: Database, { id }: WorkItem, errorText: string): Promise<void> {
  await sql`update package_trials set error_text = ${errorText} where work_id = ${id}`.execute(db)
}

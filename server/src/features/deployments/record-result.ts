import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../agents/lock-agent.ts'
import { closeWork } from '../work-states/close-work.ts'
import type { WorkState } from '../work-states/work-states.ts'
import { failDependentWork } from './fail-dependent-work.ts'
import { lockOpenWork } from './lock-open-work.ts'
import {
  type InstallationState,
  recordFailure,
  recordInstallation,
  recordReportEvent,
  recordSetupError,
} from './record-deployment.ts'
import { deleteReinstallGroups } from './reinstall-groups.ts'
import { outdatedAgentText } from './started-work/package-content.ts'
import { recordTrialResult } from './trials/record-trial-result.ts'
import type { TrialReport } from './trials/trial-report-schemas.ts'
import type { WorkChoice } from './work-choices.ts'
import { type WorkItem, workItemColumns } from './work-items.ts'

/** What an agent reports about the end of a work item. */
export type ResultReport = {
  attempt: number
  status: 'Success' | 'Failed'
  /** Null if the agent does not know, or if nothing has changed. */
  installationState: InstallationState | null
  exitCode: number | null
  commandLine: string | null
  output: string
  errorText: string | null
  rebootRequired: boolean
  /** Only of work with a deadline. */
  workChoices?: readonly WorkChoice[] | undefined
  /** Only of trials. */
  trial?: TrialReport | undefined
}

/** Unknown: the computer never had this work item. Ignored: a repeated report, or one about an earlier attempt. */
export type ReportOutcome = 'Unknown' | 'Accepted' | 'Ignored'

/** Minutes until the next attempt, by the number of failures so far. After the last delay, a failure is final. */
const retryDelays = [5, 25]

/** Records the result of a work item: what is installed now, the event, and whether the item is retried or closed. */
export async function recordResult(
  db: Database,
  clientId: number,
  workId: number,
  report: ResultReport,
): Promise<ReportOutcome> {
  await lockAgent(db, clientId)
  // A failure may also fail the work that depends on it.
  if (report.status === 'Failed') await lockOpenWork(db, clientId)
  const item = await lockWorkItem(db, clientId, workId)
  if (!item) return 'Unknown'
  const isReportExpected = item.state === 'Leased' || item.run_id !== null
  if (item.attempt !== report.attempt || !isReportExpected) return 'Ignored'
  if (item.kind === 'Trial') await recordTrialResult(db, item, report)
  else if (item.state !== 'Leased') await recordLateResult(db, item, report)
  else if (report.status === 'Success') await recordSuccess(db, item, report)
  else await recordFailedAttempt(db, item, report)
  if (report.rebootRequired) await recordRebootRequired(db, item)
  return 'Accepted'
}

type LockedWorkItem = WorkItem & { state: WorkState; run_id: string | null; failures: number }

async function lockWorkItem(db: Database, clientId: number, workId: number): Promise<LockedWorkItem | undefined> {
  const { rows } = await sql<LockedWorkItem>`
    select ${workItemColumns('w', 'p')}, w.state, w.run_id, w.failures
    from work w left join packages p on p.id = w.package_id
    where w.id = ${workId} and w.computer_id = ${clientId}
    for update of w`.execute(db)
  return rows[0]
}

/** The service closed the item while the agent was working on it. It stays closed; what changed on the computer counts. */
async function recordLateResult(db: Database, item: WorkItem, report: ResultReport): Promise<void> {
  await sql`update work set run_id = null where id = ${item.id}`.execute(db)
  const state = report.status === 'Success' ? resultingState(item, report) : report.installationState
  if (state) await recordInstallation(db, item, state, 'keep')
  if (report.status === 'Failed') await recordSetupError(db, item, report)
  await recordReportEvent(db, item, report.status, report.commandLine)
}

async function recordSuccess(db: Database, item: WorkItem, report: ResultReport): Promise<void> {
  await closeWork('Success', 'Agent', sql`where id = ${item.id}`).execute(db)
  await recordInstallation(db, item, resultingState(item, report), 'Success')
  await recordReportEvent(db, item, 'Success', report.commandLine)
  await deleteReinstallGroups(db, [item])
}

/** If the agent cannot detect the software, the state follows from the kind of the work item. */
function resultingState({ kind }: WorkItem, { installationState }: ResultReport): InstallationState {
  return installationState ?? (kind === 'Uninstall' ? 'Uninstalled' : 'Installed')
}

async function recordFailedAttempt(db: Database, item: LockedWorkItem, report: ResultReport): Promise<void> {
  // Postponed and lost attempts do not count: only failures do.
  const delay = retryDelays[item.failures]
  if (delay === undefined) await closeWork('Failed', 'Agent', sql`where id = ${item.id}`).execute(db)
  else await retryLater(db, item, delay)
  await recordFailure(db, item, failureText(report), report.installationState)
  await recordSetupError(db, item, report)
  await recordReportEvent(db, item, 'Failed', report.commandLine)
  if (delay !== undefined) return
  await failDependentWork(db, item)
  await deleteReinstallGroups(db, [item])
}

function failureText({ errorText, exitCode, output }: ResultReport): string {
  // An old agent only knows the exit code of the command that says so.
  if (output.includes(outdatedAgentText)) return outdatedAgentText
  if (errorText) return errorText
  return exitCode === null ? 'The agent did not say why it failed.' : `The command ended with the code ${exitCode}.`
}

async function retryLater(db: Database, { id }: WorkItem, minutes: number): Promise<void> {
  await sql`
    update work set state = 'Due', failures = failures + 1, not_before = now() + ${minutes} * interval '1 minute', delayed_by = 'Retry',
      leased_until = null, run_id = null, progress = null
    where id = ${id}`.execute(db)
}

async function recordRebootRequired(db: Database, { computer_id, name }: WorkItem): Promise<void> {
  await sql`
    update agents set is_reboot_required = true, reboot_required_source = ${name}, state_changed_at = now()
    where computer_id = ${computer_id} and not is_reboot_required`.execute(db)
}

import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { TrialReport } from '../deployments/trials/trial-report-schemas.ts'
import type { CancelReason } from '../work-states/cancel-reasons.ts'

export const trialStates = ['Waiting', 'Running', 'Succeeded', 'Failed', 'Cancelled'] as const

/** Of the reasons for which work is cancelled, those that a trial can have. */
export const trialCancelReasons = [
  'RequestCancelled',
  'NewRequest',
  'TrialExpired',
  'ComputerDeleted',
  'NotApplicable',
  'ContentChanged',
] as const satisfies readonly CancelReason[]

export type TrialState = (typeof trialStates)[number]

/** Trials as lists show them. An open one runs while an agent has its work item. */
export function trialRows(db: Database) {
  return db
    .selectFrom('package_trials as trial')
    .innerJoin('packages', 'packages.id', 'trial.package_id')
    .leftJoin('computers', 'computers.id', 'trial.computer_id')
    .leftJoin('work', (join) => join.onRef('work.id', '=', 'trial.work_id').on('trial.state', '=', 'Open'))
    .select([
      'trial.id as trialId',
      'trial.package_id as packageId',
      'packages.name as packageName',
      'packages.version as packageVersion',
      'trial.computer_id as computerId',
      sql<string>`coalesce(computers.name, trial.computer_name)`.as('hostname'),
      sql<TrialState>`
        case when trial.state <> 'Open' then trial.state
          when work.state = 'Leased' and work.leased_until > now() then 'Running' else 'Waiting' end`.as('state'),
      sql<number | null>`case when work.state = 'Leased' then work.progress end`.as('progress'),
      'trial.task_id as trackingId',
      'trial.started_at as startedAtUtc',
      'trial.started_by as startedBy',
      'trial.expires_at as expiresAtUtc',
      'trial.finished_at as finishedAtUtc',
      sql<(typeof trialCancelReasons)[number] | null>`trial.cancel_reason`.as('cancelReason'),
      'trial.error_text as errorText',
      sql<number | null>`(trial.report ->> 'leftoverCount')::integer`.as('leftoverCount'),
      sql<boolean>`trial.content_hash is null or trial.content_hash is not distinct from packages.content_hash`.as(
        'isCurrentContent',
      ),
    ])
}

/** What only the page of a trial shows. */
export type TrialDetails = { workId: number; report: TrialReport | null }

export function trialDetailRows(db: Database) {
  return trialRows(db).select(['trial.work_id as workId', sql<TrialReport | null>`trial.report`.as('report')])
}

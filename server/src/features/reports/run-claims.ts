import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { activePrincipals } from '../principals/active-principals.ts'
import { retrySeconds } from '../webhooks/webhook-claims.ts'
import type { ReportKind } from './contents/index.ts'
import type { ReportFormat } from './documents/document.ts'
import { insertRun, nextRunAfter, type ReportSchedule } from './schedule.ts'

/** A run that this node works at. Others leave it alone until the claim ends. */
export type ClaimedRun = { id: string; claim_id: string; attempts: number }

/** No attempt takes as long: reading, writing and sending all have limits. */
const claimMinutes = 20
/** About nine hours, with the pauses between them. */
export const maxAttempts = 12

/** Whether anything is due: the one statement of a service without due reports. */
export async function isAnythingDue(db: Database): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select exists (select from reports where not is_paused and next_run_at <= now())
      or exists (
        select from report_runs where next_attempt_at <= now() and (claim_id is null or claimed_until < now())
      ) as "isDue"`.execute(db)
  return rows[0]?.isDue ?? false
}

/** Adds a run for each report that is due, however often it was due since the last one. */
export async function insertDueRuns(db: Database): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; due: Date; schedule: ReportSchedule }>`
      select id, next_run_at as due, schedule from reports
      where not is_paused and next_run_at <= now() and schedule is not null
      order by next_run_at limit 100 for no key update skip locked`.execute(tx)
    for (const { id, due, schedule } of rows) {
      await insertRun(tx, id, due, false)
      await sql`update reports set next_run_at = ${nextRunAfter(schedule, new Date())} where id = ${id}`.execute(tx)
    }
  })
}

/** Claims a run whose next attempt is due. */
export async function claimRun(db: Database): Promise<ClaimedRun | undefined> {
  const { rows } = await sql<ClaimedRun>`
    update report_runs set claim_id = ${randomUUID()}, claimed_until = now() + make_interval(mins => ${claimMinutes}),
      attempts = attempts + 1
    where id in (
      select id from report_runs where next_attempt_at <= now() and (claim_id is null or claimed_until < now())
      order by next_attempt_at, id limit 1 for update skip locked)
    returning id, claim_id, attempts`.execute(db)
  return rows[0]
}

export type DueReport = {
  id: string
  name: string
  kind: ReportKind
  format: ReportFormat
  groupId: string | null
  groupPath: string | null
  webhookId: string | null
  recipients: string[]
  /** The roles that its principal has now. Null if the principal is revoked or has expired. */
  roles: string[] | null
  isPosted: boolean
  isMailed: boolean
  content: Buffer | null
  totalRows: number | null
  rows: number | null
}

const isClaimed = ({ id, claim_id }: ClaimedRun) => sql<boolean>`id = ${id} and claim_id = ${claim_id}`

/** The report of the run as it is now. Undefined if it is deleted, or if this node has lost its claim. */
export async function findDueReport(db: Database, run: ClaimedRun): Promise<DueReport | undefined> {
  const { rows } = await sql<DueReport>`
    select report.id, report.name, report.kind, report.group_id as "groupId", groups.path as "groupPath",
      report.webhook_id as "webhookId", report.recipients, principal.roles, run.posted_at is not null as "isPosted",
      run.mailed_at is not null as "isMailed", file.content, coalesce(file.format, report.format) as format, run.row_count as rows, run.total_count as "totalRows"
    from report_runs run
      join reports report on report.id = run.report_id
      left join groups on groups.id = report.group_id
      left join ${activePrincipals} principal on principal.id = report.principal_id
      left join report_files file on file.run_id = run.id
    where run.id = ${run.id} and run.claim_id = ${run.claim_id}`.execute(db)
  return rows[0]
}

type StoredDocument = { format: ReportFormat; content: Buffer; rows: number; totalRows: number }

export async function storeDocument(
  db: Database,
  run: ClaimedRun,
  { format, content, rows, totalRows }: StoredDocument,
): Promise<void> {
  await sql`
    with stored as (
      update report_runs set row_count = ${rows}, total_count = ${totalRows} where ${isClaimed(run)} returning id
    )
    insert into report_files (run_id, format, content) select id, ${format}, ${content}::bytea from stored
    on conflict (run_id) do update set format = excluded.format, content = excluded.content`.execute(db)
}

/** Records at once what was sent, so an interruption repeats nothing but what was on its way. */
export async function recordSent(db: Database, run: ClaimedRun, how: 'posted_at' | 'mailed_at'): Promise<void> {
  await sql`update report_runs set ${sql.ref(how)} = now() where ${isClaimed(run)}`.execute(db)
}

export async function recordRunSuccess(db: Database, run: ClaimedRun): Promise<void> {
  await sql`
    update report_runs set state = 'Succeeded', error = null, next_attempt_at = null, ended_at = now(), claim_id = null,
      claimed_until = null
    where ${isClaimed(run)}`.execute(db)
}

/** Records a failed attempt: the run is tried again later, or has failed. */
export async function recordRunFailure(db: Database, run: ClaimedRun, error: string, isFinal = false): Promise<void> {
  const ends = isFinal || run.attempts >= maxAttempts
  await sql`
    update report_runs set error = ${error}, claim_id = null, claimed_until = null,
      state = case when ${ends} then 'Failed' else state end, ended_at = case when ${ends} then now() end,
      next_attempt_at = case when ${!ends} then now() + make_interval(secs => ${retrySeconds(run.attempts)}) end
    where ${isClaimed(run)}`.execute(db)
}

/** Gives a run back that has learned nothing, because this node stops. */
export async function releaseRun(db: Database, run: ClaimedRun): Promise<void> {
  await sql`
    update report_runs set claim_id = null, claimed_until = null, attempts = attempts - 1 where ${isClaimed(run)}`.execute(
    db,
  )
}

/** Ends the schedule of a report whose principal may no longer have it. */
export async function pauseReport(db: Database, run: ClaimedRun, reason: string): Promise<void> {
  await sql`
    update reports set is_paused = true, pause_reason = ${reason}
    where id = (select report_id from report_runs where ${isClaimed(run)})`.execute(db)
}

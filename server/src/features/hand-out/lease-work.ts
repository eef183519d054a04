import type { PackageKind } from '@muster/package-format'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../agents/lock-agent.ts'
import { abandonWork } from '../deployments/abandon-work.ts'
import { leaseSeconds, newLease } from '../deployments/lease.ts'
import { lockOpenWork } from '../deployments/lock-open-work.ts'
import { latestPostponement, remainingPostponements } from '../deployments/postponement.ts'
import { distributionCommands, isOptional } from '../distribution/commands.ts'
import { deadlineOf, type StoredUserDeadline } from '../distribution/user-deadline.ts'
import { insertDistributionEvents } from '../work-states/distribution-events.ts'
import { contactingAgent } from './blockers.ts'
import { maxLeasedItems } from './execution-order.ts'
import { type HandOut, type NextWindow, planHandOut } from './plan-hand-out.ts'
import { secondsToRestart } from './policy-restarts.ts'
import { latestStartOf } from './rollout-facts.ts'
import { reopenRolloutComputers } from './rollout-offers.ts'
import { hasWorkToEnd, withdrawUnmetWork } from './unmet-work.ts'
import { lockCandidates, type WorkCandidate } from './work-candidates.ts'
import type { RequesterRow } from './work-facts.ts'

const { Force, Hidden } = distributionCommands

/** The agent that asks for work. */
export type WorkRequester = {
  clientId: number
  runId: string
  /** Whether another process of the agent was seen since this one was seen first. */
  isDuplicateProcess: boolean
  /** Whether this process has nothing of what was leased to it before. */
  hasNoLeasedWork: boolean
  environment: 'OperatingSystem' | 'PreOs'
  /** Optional packages that the user has requested. */
  requestedPackages: readonly string[]
  /** Whether the caller fails leased work that the agent cannot carry out. */
  mayRefuse?: boolean
  /** Work items that the agent has reported as in progress. It gets that many fewer. */
  itemsInProgress?: number
}

/**
 * Leases due work to the agent, in the order of execution, and lists the optional packages that its user may request.
 * Also abandons work that was lost too often, cancels work whose computer does not meet the conditions of its package, and moves work whose window has ended to the next window. Does nothing while
 * the installation is frozen.
 */
export async function leaseWork(db: Database, requester: WorkRequester): Promise<LeasedWork> {
  await lockAgent(db, requester.clientId)
  // What ends one work item may also end those that depend on it.
  const mayEndWork = requester.mayRefuse || (await hasWorkToEnd(db, requester.clientId))
  if (mayEndWork) await lockOpenWork(db, requester.clientId)
  const plan = planLeases(await lockCandidates(db, toRequesterRows([requester])), requester)
  await abandonWork(db, plan.abandoned)
  if (mayEndWork) await withdrawUnmetWork(db, plan.withdrawn)
  await moveToWindows(db, plan.windows)
  await delayForRollout(db, plan.delays)
  return toLeasedWork(plan, await recordLeases(db, [{ requester, plan }]))
}

/** What a contact gets. */
export type LeasedWork = {
  work: ReturnType<typeof toWorkItem>[]
  offers: ReturnType<typeof toOffer>[]
  /** When the first of the new windows opens; null if no item was moved. */
  nextWindowAt: Date | null
}

export function planLeases(candidates: readonly WorkCandidate[], requester: WorkRequester): HandOut {
  const { mayRefuse = false, itemsInProgress = 0 } = requester
  const plan = planHandOut(candidates, contactingAgent(requester), mayRefuse)
  return { ...plan, leased: plan.leased.slice(0, Math.max(0, maxLeasedItems - itemsInProgress)) }
}

/** The trace of each leased work item that has one. */
export type WorkTraces = ReadonlyMap<number, string>

export function toLeasedWork({ leased, offered, windows, delays }: HandOut, traces: WorkTraces): LeasedWork {
  const opensAt = [...windows.map(({ start }) => start), ...delays.map(({ until }) => until)]
    .filter((start) => start !== 'infinity')
    .map((start) => start.getTime())
  return {
    work: leased.map((item) => toWorkItem(item, traces.get(item.id))),
    offers: offered.map(toOffer),
    nextWindowAt: opensAt.length > 0 ? new Date(Math.min(...opensAt)) : null,
  }
}

export function toRequesterRows(requesters: readonly WorkRequester[]) {
  const column = <T>(toValue: (requester: WorkRequester) => T) => requesters.map(toValue)
  return sql<RequesterRow>`
    select * from unnest(${column(({ clientId }) => clientId)}::integer[], ${column(({ runId }) => runId)}::uuid[],
      ${column(({ isDuplicateProcess }) => isDuplicateProcess)}::boolean[], ${column(({ hasNoLeasedWork }) => hasNoLeasedWork)}::boolean[]
    ) as asking(owner_id, run_id, is_duplicate_process, has_no_leased_work)`
}

export async function moveToWindows(db: Database, windows: readonly NextWindow[]): Promise<void> {
  if (windows.length === 0) return
  await sql`
    update work set not_before = next_window.opens_at, window_ends_at = next_window.ends_at, delayed_by = null
    from unnest(${windows.map(({ id }) => id)}::bigint[], ${windows.map(({ start }) => start)}::timestamptz[],
      ${windows.map(({ end }) => end)}::timestamptz[]) as next_window(id, opens_at, ends_at)
    where work.id = next_window.id`.execute(db)
}

/** The agent makes its next contact in time for the window. */
export async function delayForRollout(db: Database, delays: HandOut['delays']): Promise<void> {
  if (delays.length === 0) return
  await sql`
    update work set not_before = delayed.until, delayed_by = 'Rollout'
    from unnest(${delays.map(({ id }) => id)}::bigint[], ${delays.map(({ until }) => until)}::timestamptz[])
      as delayed (id, until)
    where work.id = delayed.id`.execute(db)
}

/** Returns the traces of what was leased. */
export async function recordLeases(
  db: Database,
  plans: readonly { requester: WorkRequester; plan: HandOut }[],
): Promise<WorkTraces> {
  const leases = plans.flatMap(({ requester: { runId }, plan }) =>
    plan.leased.map((item) => ({
      id: item.id,
      runId,
      startBy: item.restart_policy_id === null ? latestStartOf(item) : item.window_ends_at,
    })),
  )
  if (leases.length === 0) return new Map()
  const { rows } = await sql<{ id: number; traceparent: string | null }>`
    update work set state = 'Leased', attempt = attempt + 1, leased_until = ${newLease}, run_id = lease.run_id, progress = null,
      content_hash = (select content_hash from packages where packages.id = work.package_id), start_by = lease.start_by,
      first_leased_at = coalesce(first_leased_at, now())
    from unnest(${leases.map(({ id }) => id)}::bigint[], ${leases.map(({ runId }) => runId)}::uuid[],
      ${leases.map(({ startBy }) => startBy)}::timestamptz[]) as lease(id, run_id, start_by)
    where work.id = lease.id and work.id = any(${leases.map(({ id }) => id)}::bigint[])
    returning work.id, ${traceOfWork} as traceparent`.execute(db)
  await recordTakenOffers(
    db,
    plans.flatMap(({ plan }) => plan.leased.filter(({ commands, attempt }) => isOptional(commands) && attempt === 0)),
  )
  return new Map(rows.flatMap(({ id, traceparent }) => (traceparent ? [[id, traceparent]] : [])))
}

/** Of its task. The service itself creates the tasks of a rollout, for the request that has started the rollout. */
const traceOfWork = sql`(
  select coalesce(task.traceparent, (select traceparent from rollouts where id = task.rollout_id))
  from tasks task where task.id = work.task_id)`

/** An optional package is deployed from the moment when its user requests it, and its task runs again. */
export async function recordTakenOffers(db: Database, taken: readonly WorkCandidate[]): Promise<void> {
  if (taken.length === 0) return
  await sql`
    with taken as materialized (
      select computer_id, package_id, kind, task_id from work where id = any(${taken.map(({ id }) => id)}::bigint[])
    ), unfinished as (
      insert into unfinished_tasks select distinct task_id from taken on conflict do nothing
    ), events as (
      ${insertDistributionEvents({
        from: sql`taken`,
        result: 'Pending',
        classification: 'Request',
        installMode: sql.ref('kind'),
      })}
    )
    insert into deployments (computer_id, package_id, pending_since)
    select computer_id, package_id, now() from taken order by computer_id, package_id
    on conflict on constraint deployments_pkey do update
      set pending_since = coalesce(deployments.pending_since, excluded.pending_since)`.execute(db)
  await reopenRolloutComputers(db, taken)
}

function toWorkItem(item: WorkCandidate, traceparent: string | undefined) {
  const { id, kind, attempt, commands, user_deadline, power_action, timeout_minutes, reminder_minutes, now } = item
  return {
    workId: id,
    attempt: attempt + 1,
    kind,
    leaseSeconds,
    package: item.package_id && item.package_kind ? toWorkPackage(item, item.package_id, item.package_kind) : null,
    postponable: { remaining: remainingPostponements(item, now), untilUtc: latestPostponement(item, now) },
    hidden: (commands & Hidden) > 0,
    forced: (commands & Force) > 0,
    power: power_action && {
      action: power_action,
      timeoutMinutes: timeout_minutes ?? 0,
      reminderMinutes: reminder_minutes ?? 0,
      ...secondsToRestart(item),
    },
    ...(user_deadline && { userDeadline: toWorkDeadline(item, user_deadline) }),
    ...(traceparent !== undefined && { traceparent }),
  }
}

/** What the agent has to respect before the deadline, and what it does then. */
function toWorkDeadline({ first_leased_at, now }: WorkCandidate, deadline: StoredUserDeadline) {
  const { quietHours, closePrograms, noticeMinutes } = deadline
  return { deadlineUtc: deadlineOf(deadline, first_leased_at ?? now), quietHours, closePrograms, noticeMinutes }
}

function toWorkPackage(item: WorkCandidate, packageId: string, kind: PackageKind) {
  return {
    packageId,
    name: item.name ?? '',
    version: item.version ?? '',
    kind,
    operatingSystems: item.operating_systems ?? [],
    contentHash: item.content_hash ?? '',
  }
}

function toOffer({ package_id, name, version, optional_date }: WorkCandidate) {
  return { packageId: package_id ?? '', name: name ?? '', version: version ?? '', untilUtc: optional_date }
}

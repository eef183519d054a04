import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../agents/lock-agent.ts'
import { isFrozen } from '../blast-radius/freeze.ts'
import { distributionCommands } from '../distribution/commands.ts'
import { parseSchedule, windowAt } from '../distribution/schedule.ts'
import { isDistributable } from '../packages/distributable.ts'
import type { PackageKind } from '../packages/manifest.ts'
import { listPatchesToFix } from '../patches/missing-patches.ts'
import { isOpenWork, type LeasableWorkKind, workLockOrder } from '../work-states/work-states.ts'
import { abandonWork, hasWorkLostTooOften, isLostTooOften } from './abandon-work.ts'
import { isLost, leaseSeconds, newLease } from './lease.ts'
import { lockOpenWork } from './lock-open-work.ts'
import { type Postponable, remainingPostponements } from './postponement.ts'
import type { PowerSettings } from './power-settings.ts'

const maxLeasedItems = 20

const { Force, Hidden, Optional } = distributionCommands

/** The agent that asks for work. */
export type WorkRequester = {
  clientId: number
  runId: string
  /** Whether another process of the agent was seen since this one was seen first. */
  hasComeBack: boolean
  /** Whether this process has nothing of what was leased to it before. */
  isEmptyHanded: boolean
  environment: 'OperatingSystem' | 'PreOs'
  /** Optional packages that the user has requested. */
  requestedPackages: readonly string[]
  /** Whether the caller fails leased work that the agent cannot carry out. */
  mayRefuse?: boolean
}

/** The order of execution, lower first. What an activation makes the computer do after its work comes last. */
const ranks: Record<LeasableWorkKind, number> = {
  Uninstall: 0,
  Install: 1,
  Update: 1,
  Reinstall: 1,
  Refresh: 2,
  Power: 3,
}

type Candidate = Postponable & {
  id: number
  kind: LeasableWorkKind
  attempt: number
  failures: number
  schedule: string
  window_ends_at: Date | null
  optional_date: Date | null
  power_action: PowerSettings['action'] | null
  timeout_minutes: number | null
  reminder_minutes: number | null
  package_id: string | null
  name: string | null
  version: string | null
  package_kind: PackageKind | null
  operating_systems: string[] | null
  content_hash: string | null
  is_pre_os: boolean | null
  /** Whether a reboot was requested, other than as the end of an activation. */
  is_requested_reboot: boolean
  /** Whether the agent still has other work. */
  has_other_lease: boolean
  now: Date
}

type NextWindow = { id: number; start: Date | 'infinity'; end: Date | null }

/**
 * Leases due work to the agent, in the order of execution, and lists the optional packages that its user may request.
 * Also abandons work that was lost too often and moves work whose window has ended to the next window. Does nothing while
 * the installation is frozen.
 */
export async function leaseWork(db: Database, requester: WorkRequester) {
  await lockAgent(db, requester.clientId)
  // A failure may also fail the work that depends on it.
  if (requester.mayRefuse || (await hasWorkLostTooOften(db, requester.clientId)))
    await lockOpenWork(db, requester.clientId)
  const candidates = await lockCandidates(db, requester)
  await abandonWork(db, candidates.filter(isLostTooOften))
  const due = await withoutIdleFixes(
    db,
    requester,
    candidates.filter((item) => !isLostTooOften(item)),
  )
  const nextWindows = new Map(due.filter(hasWindowEnded).map((item) => [item.id, findNextWindow(item)]))
  const inWindow = due.filter(({ id, now }) => isStarted(nextWindows.get(id), now))
  const fitting = inWindow.filter((item) => fitsEnvironment(item, requester))
  const optional = fitting.filter(({ commands }) => commands & Optional)
  const offered = optional.filter(({ optional_date, now }) => !optional_date || optional_date > now)
  const isRequested = ({ package_id }: Candidate) =>
    package_id !== null && requester.requestedPackages.includes(package_id)
  const ready = fitting.filter((item) => !(item.commands & Optional) || (offered.includes(item) && isRequested(item)))
  const leased = inExecutionOrder(ready, requester).slice(0, maxLeasedItems)
  await moveToWindows(db, [...nextWindows.values()])
  await recordLeases(db, leased, requester.runId)
  return { work: leased.map(toWorkOrder), offers: offered.filter((item) => !isRequested(item)).map(toOffer) }
}

async function lockCandidates(db: Database, requester: WorkRequester): Promise<Candidate[]> {
  const lost = (work: string) => {
    const { runId, hasComeBack, isEmptyHanded } = requester
    return isLost(work, {
      runId: sql`${runId}::uuid`,
      hasComeBack: sql`${hasComeBack}::boolean`,
      isEmptyHanded: sql`${isEmptyHanded}::boolean`,
    })
  }
  const { rows } = await sql<Candidate>`
    select w.id, w.kind, w.attempt, w.failures, w.commands, w.schedule, w.window_ends_at, w.revoke_count, w.revoke_date,
      w.postponements, w.optional_date, w.power_action, w.timeout_minutes, w.reminder_minutes,
      p.id as package_id, p.name, p.version, p.kind as package_kind, p.operating_systems, p.is_pre_os,
      encode(p.content_hash, 'hex') as content_hash, now() as now,
      w.power_action = 'Reboot' and exists (
        select from tasks where tasks.id = w.task_id and tasks.kind = 'Reboot') as is_requested_reboot,
      exists (
        select from work o
        where o.computer_id = w.computer_id and o.id <> w.id and o.state = 'Leased' and o.leased_until > now()
          and ${lost('o')} is not true
      ) as has_other_lease
    from work w left join packages p on p.id = w.package_id
    where w.computer_id = ${requester.clientId} and not ${isFrozen} and ${isOpenWork('w.state')} and w.kind <> 'OperatingSystem'
      and w.not_before <= now() and (w.state = 'Due' or w.leased_until <= now() or ${lost('w')})
      and (w.package_id is null or (${isDistributable('p')} and ${isNextInOrder('w', 'p')}))
    order by ${workLockOrder('w')}
    for update of w`.execute(db)
  return rows
}

/** A fix package waits while no missing patch is released to the computer. */
async function withoutIdleFixes(db: Database, { clientId }: WorkRequester, items: Candidate[]): Promise<Candidate[]> {
  const isFix = ({ package_kind }: Candidate) => package_kind === 'PatchFix'
  if (!items.some(isFix) || (await listPatchesToFix(db, clientId)).length > 0) return items
  return items.filter((item) => !isFix(item))
}

/**
 * Whether the requirements allow a work item now: required packages are installed before the packages that require them,
 * and uninstalled after them. Takes the aliases of the item and of its package.
 */
function isNextInOrder(work: string, ofPackage: string): RawBuilder<boolean> {
  const [id, kind] = [sql.ref(`${work}.id`), sql.ref(`${work}.kind`)]
  const [computerId, packageId] = [sql.ref(`${work}.computer_id`), sql.ref(`${work}.package_id`)]
  return sql`
    case when ${kind} = 'Uninstall' then not exists (
      select from work o
        join package_requirements needed on needed.package_id = o.package_id
      where o.computer_id = ${computerId} and o.kind = 'Uninstall' and ${isOpenWork('o.state')} and o.id <> ${id}
        and lower(needed.required_name) = lower(${sql.ref(`${ofPackage}.package_name`)})
        and not exists (
          select from package_requirements mutual
            join packages q on q.id = o.package_id
          where mutual.package_id = ${packageId} and lower(mutual.required_name) = lower(q.package_name)))
    else not exists (
      select from package_requirements needed
      where needed.package_id = ${packageId} and not exists (
        select from deployments d
          join packages q on q.id = d.package_id
        where d.computer_id = ${computerId} and d.installation_state = 'Installed'
          and lower(q.package_name) = lower(needed.required_name)))
    end`
}

function hasWindowEnded({ window_ends_at, now }: Candidate): boolean {
  return window_ends_at !== null && window_ends_at <= now
}

/** The window that is open now, or the next one. After the last window, the work waits until its options change. */
function findNextWindow({ id, schedule, now }: Candidate): NextWindow {
  return { id, ...(windowAt(parseSchedule(schedule), now) ?? { start: 'infinity', end: null }) }
}

/** Whether the new window of a work item has started; an item without one is still in its window. */
function isStarted(window: NextWindow | undefined, now: Date): boolean {
  return window === undefined || (window.start !== 'infinity' && window.start <= now)
}

function fitsEnvironment({ is_pre_os }: Candidate, { environment }: WorkRequester): boolean {
  return (is_pre_os ?? false) === (environment === 'PreOs')
}

/**
 * Power work is leased alone, and only if the agent has no other work. A requested reboot comes before what else is due,
 * unless the agent may be unable to reboot.
 */
function inExecutionOrder(ready: readonly Candidate[], { mayRefuse }: WorkRequester): Candidate[] {
  const reboot = mayRefuse ? undefined : ready.find(({ is_requested_reboot }) => is_requested_reboot)
  if (reboot) return reboot.has_other_lease ? [] : [reboot]
  const sorted = ready.toSorted((a, b) => ranks[a.kind] - ranks[b.kind] || a.id - b.id)
  const others = sorted.filter(({ kind }) => kind !== 'Power')
  return others.length > 0 ? others : sorted.filter(({ has_other_lease }) => !has_other_lease)
}

async function moveToWindows(db: Database, windows: readonly NextWindow[]): Promise<void> {
  if (windows.length === 0) return
  await sql`
    update work set not_before = next_window.opens_at, window_ends_at = next_window.ends_at
    from unnest(${windows.map(({ id }) => id)}::bigint[], ${windows.map(({ start }) => start)}::timestamptz[],
      ${windows.map(({ end }) => end)}::timestamptz[]) as next_window(id, opens_at, ends_at)
    where work.id = next_window.id`.execute(db)
}

async function recordLeases(db: Database, items: readonly Candidate[], runId: string): Promise<void> {
  if (items.length === 0) return
  await sql`
    update work set state = 'Leased', attempt = attempt + 1, leased_until = ${newLease}, run_id = ${runId}, progress = null,
      content_hash = (select content_hash from packages where packages.id = work.package_id)
    where id = any(${items.map(({ id }) => id)}::bigint[])`.execute(db)
}

function toWorkOrder(item: Candidate) {
  const { id, kind, attempt, commands, revoke_date, power_action, timeout_minutes, reminder_minutes, now } = item
  return {
    workId: id,
    attempt: attempt + 1,
    kind,
    leaseSeconds,
    package: item.package_id && item.package_kind ? toWorkPackage(item, item.package_id, item.package_kind) : null,
    postponable: { remaining: remainingPostponements(item, now), untilUtc: revoke_date },
    hidden: (commands & Hidden) > 0,
    forced: (commands & Force) > 0,
    power: power_action && {
      action: power_action,
      timeoutMinutes: timeout_minutes ?? 0,
      reminderMinutes: reminder_minutes ?? 0,
    },
  }
}

function toWorkPackage(item: Candidate, packageId: string, kind: PackageKind) {
  return {
    packageId,
    name: item.name ?? '',
    version: item.version ?? '',
    kind,
    operatingSystems: item.operating_systems ?? [],
    contentHash: item.content_hash ?? '',
  }
}

function toOffer({ package_id, name, version, optional_date }: Candidate) {
  return { packageId: package_id ?? '', name: name ?? '', version: version ?? '', untilUtc: optional_date }
}

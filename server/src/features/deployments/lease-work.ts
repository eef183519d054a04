import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../agents/lock-agent.ts'
import { distributionCommands } from '../distribution/commands.ts'
import { parseSchedule, windowAt } from '../distribution/schedule.ts'
import type { PackageKind } from '../packages/manifest.ts'
import { patchesToFix } from '../patches/missing-patches.ts'
import { giveUp, isLostTooOften } from './abandon-work.ts'
import { isLost, leaseSeconds, newLease } from './lease.ts'
import { type Postponable, remainingPostponements } from './postponement.ts'

const mostPieces = 20

const { Force, Hidden, Optional } = distributionCommands

export type Taker = {
  clientId: number
  runId: string
  /** Another process of the agent was seen since this one was seen first. */
  hasComeBack: boolean
  /** The process has nothing of what was handed to it before. */
  isEmptyHanded: boolean
  environment: 'OperatingSystem' | 'PreOs'
  /** Optional packages that a user asked for. */
  wants: readonly string[]
}

type Kind = 'Install' | 'Update' | 'Uninstall' | 'Reinstall' | 'Power' | 'Refresh'

/** Lower first; a restart comes last. */
const ranks: Record<Kind, number> = { Uninstall: 0, Install: 1, Update: 1, Reinstall: 1, Refresh: 2, Power: 3 }

type Candidate = Postponable & {
  id: number
  kind: Kind
  attempt: number
  failures: number
  schedule: string
  window_ends_at: Date | null
  optional_date: Date | null
  power_action: 'Shutdown' | 'Reboot' | 'LogOff' | 'None' | null
  timeout_minutes: number | null
  reminder_minutes: number | null
  package_id: string | null
  name: string | null
  version: string | null
  package_kind: PackageKind | null
  operating_systems: string[] | null
  content_hash: string | null
  is_pre_os: boolean | null
  is_waited_for: boolean
  now: Date
}

type MovedWindow = { id: number; start: Date | 'infinity'; end: Date | null }

/** Leases what is due to the agent, in the order in which it is to be done, and tells what its user may ask for. */
export async function leaseWork(db: Database, taker: Taker) {
  await lockAgent(db, taker.clientId)
  const moved: MovedWindow[] = []
  const open = await candidates(db, taker)
  await giveUp(db, open.filter(isLostTooOften))
  const due = await withSomethingToFix(
    db,
    taker,
    open.filter((piece) => !isLostTooOften(piece)),
  )
  const inTime = due.filter((piece) => isInWindow(piece, moved))
  const fitting = inTime.filter((piece) => fitsEnvironment(piece, taker))
  const optional = fitting.filter(({ commands }) => commands & Optional)
  const offered = optional.filter(({ optional_date, now }) => !optional_date || optional_date > now)
  const isWanted = ({ package_id }: Candidate) => package_id !== null && taker.wants.includes(package_id)
  const ready = fitting.filter((piece) => !(piece.commands & Optional) || (offered.includes(piece) && isWanted(piece)))
  const handed = inOrder(ready).slice(0, mostPieces)
  await writeWindows(db, moved)
  await lease(db, handed, taker.runId)
  return { work: handed.map(workOrder), offers: offered.filter((piece) => !isWanted(piece)).map(offer) }
}

async function candidates(db: Database, taker: Taker): Promise<Candidate[]> {
  const lost = (work: string) => {
    const { runId, hasComeBack, isEmptyHanded } = taker
    return isLost(work, {
      runId: sql`${runId}::uuid`,
      hasComeBack: sql`${hasComeBack}::boolean`,
      isEmptyHanded: sql`${isEmptyHanded}::boolean`,
    })
  }
  // Locked in the order of packages, as whoever else changes several pieces of a computer does.
  const { rows } = await sql<Candidate>`
    select w.id, w.kind, w.attempt, w.failures, w.commands, w.schedule, w.window_ends_at, w.revoke_count, w.revoke_date,
      w.postponements, w.optional_date, w.power_action, w.timeout_minutes, w.reminder_minutes,
      p.id as package_id, p.name, p.version, p.kind as package_kind, p.operating_systems, p.is_pre_os,
      encode(p.content_hash, 'hex') as content_hash, now() as now,
      exists (
        select from work o
        where o.computer_id = w.computer_id and o.id <> w.id and o.state = 'Leased' and o.leased_until > now()
          and ${lost('o')} is not true
      ) as is_waited_for
    from work w left join packages p on p.id = w.package_id
    where w.computer_id = ${taker.clientId} and w.state in ('Due', 'Leased') and w.kind <> 'OperatingSystem'
      and w.not_before <= now() and (w.state = 'Due' or w.leased_until <= now() or ${lost('w')})
      and (w.package_id is null or (p.is_operational and p.hash_state = 'Current' and ${hasItsTurn}))
    order by w.package_id, w.id
    for update of w`.execute(db)
  return rows
}

/** A fix package waits as long as no missing patch is released to the computer. */
async function withSomethingToFix(db: Database, { clientId }: Taker, pieces: Candidate[]): Promise<Candidate[]> {
  const isFix = ({ package_kind }: Candidate) => package_kind === 'PatchFix'
  if (!pieces.some(isFix) || (await patchesToFix(db, clientId)).length > 0) return pieces
  return pieces.filter((piece) => !isFix(piece))
}

// Required packages are installed before, and uninstalled after, those that require them.
const hasItsTurn = sql`
  case when w.kind = 'Uninstall' then not exists (
    select from work o
      join package_requirements needed on needed.package_id = o.package_id
    where o.computer_id = w.computer_id and o.kind = 'Uninstall' and o.state in ('Due', 'Leased') and o.id <> w.id
      and lower(needed.required_name) = lower(p.package_name)
      and not exists (
        select from package_requirements mutual
          join packages q on q.id = o.package_id
        where mutual.package_id = w.package_id and lower(mutual.required_name) = lower(q.package_name)))
  else not exists (
    select from package_requirements needed
    where needed.package_id = w.package_id and not exists (
      select from deployments d
        join packages q on q.id = d.package_id
      where d.computer_id = w.computer_id and d.installation_state = 'Installed'
        and lower(q.package_name) = lower(needed.required_name)))
  end`

/** A window that is over gives way to the one after it; after the last one the work waits for other options. */
function isInWindow({ id, schedule, window_ends_at, now }: Candidate, moved: MovedWindow[]): boolean {
  if (!window_ends_at || window_ends_at > now) return true
  const window = windowAt(parseSchedule(schedule), now)
  moved.push({ id, ...(window ?? { start: 'infinity', end: null }) })
  return window !== null && window.start <= now
}

function fitsEnvironment({ is_pre_os }: Candidate, { environment }: Taker): boolean {
  return (is_pre_os ?? false) === (environment === 'PreOs')
}

/** Power is handed alone, and only when the agent has nothing else in its hands. */
function inOrder(ready: readonly Candidate[]): Candidate[] {
  const sorted = ready.toSorted((a, b) => ranks[a.kind] - ranks[b.kind] || a.id - b.id)
  const others = sorted.filter(({ kind }) => kind !== 'Power')
  return others.length > 0 ? others : sorted.filter(({ is_waited_for }) => !is_waited_for)
}

async function writeWindows(db: Database, moved: readonly MovedWindow[]): Promise<void> {
  if (moved.length === 0) return
  await sql`
    update work set not_before = window_of.opens_at, window_ends_at = window_of.ends_at
    from unnest(${moved.map(({ id }) => id)}::bigint[], ${moved.map(({ start }) => start)}::timestamptz[],
      ${moved.map(({ end }) => end)}::timestamptz[]) as window_of(id, opens_at, ends_at)
    where work.id = window_of.id`.execute(db)
}

async function lease(db: Database, handed: readonly Candidate[], runId: string): Promise<void> {
  if (handed.length === 0) return
  await sql`
    update work set state = 'Leased', attempt = attempt + 1, leased_until = ${newLease}, run_id = ${runId}, progress = null,
      content_hash = (select content_hash from packages where packages.id = work.package_id)
    where id = any(${handed.map(({ id }) => id)}::bigint[])`.execute(db)
}

function workOrder(piece: Candidate) {
  const { id, kind, attempt, commands, revoke_date, power_action, timeout_minutes, reminder_minutes, now } = piece
  return {
    workId: id,
    attempt: attempt + 1,
    kind,
    leaseSeconds,
    package: piece.package_id && piece.package_kind ? packageOf(piece, piece.package_id, piece.package_kind) : null,
    postponable: { remaining: remainingPostponements(piece, now), untilUtc: revoke_date },
    hidden: (commands & Hidden) > 0,
    forced: (commands & Force) > 0,
    power: power_action && {
      action: power_action,
      timeoutMinutes: timeout_minutes ?? 0,
      reminderMinutes: reminder_minutes ?? 0,
    },
  }
}

function packageOf(piece: Candidate, packageId: string, kind: PackageKind) {
  return {
    packageId,
    name: piece.name ?? '',
    version: piece.version ?? '',
    kind,
    operatingSystems: piece.operating_systems ?? [],
    contentHash: piece.content_hash ?? '',
  }
}

function offer({ package_id, name, version, optional_date }: Candidate) {
  return { packageId: package_id ?? '', name: name ?? '', version: version ?? '', untilUtc: optional_date }
}

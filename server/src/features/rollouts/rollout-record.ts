import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { StoredUserDeadline } from '../distribution/user-deadline.ts'
import type { MaintenanceWindow } from '../hand-out/rollout-windows.ts'
import type { Criteria } from './criteria.ts'
import type { RingCounts, SharedCause } from './next-step.ts'
import type { Pause } from './pause.ts'
import { rolloutNotFound } from './problems.ts'
import type { PlacedRing, RingRule } from './ring-membership.ts'

export const rolloutStates = ['Running', 'Paused', 'CatchingUp', 'Completed', 'Cancelled'] as const

export type RolloutState = (typeof rolloutStates)[number]

export const ringStates = ['Waiting', 'Open', 'Done'] as const

/** What the last evaluation counted in a ring, and in the whole rollout on the first ring. */
export type StoredCounts = Partial<RingCounts>

export type RolloutRing = PlacedRing & {
  ring: number
  name: string
  releaseMinutes: number
  windows: MaintenanceWindow[]
  state: (typeof ringStates)[number]
  openedAt: Date | null
  criteriaMetAt: Date | null
  doneAt: Date | null
  plannedWork: number
  plannedBytes: number
  counts: StoredCounts
  /** Names of the group of the ring and of its ancestors. Null without a group, and if it was deleted. */
  groupPath: string | null
}

/** What pauses a rollout, as the last evaluation found it. */
export type Findings = { silent: number; bootFailed: number; sharedCause: SharedCause | null }

export type PausedTime = { fromUtc: Date; untilUtc: Date | null }

export type Rollout = {
  id: string
  name: string
  groupId: string
  /** Names of the group and of its ancestors; null if it was deleted. */
  groupPath: string | null
  packageId: string | null
  packageName: string | null
  state: RolloutState
  isEmergency: boolean
  criteria: Criteria
  timeZone: string | null
  deadlineAt: Date | null
  /** Takes the place of the one of the distribution options. */
  userDeadline: StoredUserDeadline | null
  catchUpDays: number
  catchUpUntil: Date | null
  resumedAt: Date
  pause: Pause | null
  /** When it was paused, the first time first. The last one has no end while it is. */
  pausedTimes: PausedTime[]
  findings: Findings | null
  createdBy: string
  createdAt: Date
  evaluatedAt: Date | null
  endedAt: Date | null
  /** Counts the changes by principals. */
  version: number
  /** Whether it keeps the members of its group converged. Nobody requested such a rollout. */
  isWave: boolean
  /** For a wave with more computers than expected: how many were. It stays in its first ring until a person resumes it. */
  expectedComputers: number | null
  /** Set for a rollout of an upgrade of a package line, and for one that rolls it back. */
  upgradeId: string | null
  /** For a rollback: the version that its computers get rid of. Such a rollout keeps its computers. */
  rolledBackPackageId: string | null
  /**
   * The rings after this one wait, because another rollout of the upgrade has not finished it. Null: no other rollout has anything
   * left to do before its last ring is done.
   */
  lastSharedRing: number | null
  rings: RolloutRing[]
}

type RolloutRow = Omit<Rollout, 'rings' | 'pausedTimes'> & {
  pausedTimes: { [end in keyof PausedTime]: string | null }[]
}

type RingRow = Omit<RolloutRing, 'rule'> & {
  sizeKind: RingRule['kind']
  size: number | null
  groupId: string | null
}

/** The first ring that another unfinished rollout of the same upgrade has not finished. */
const lastSharedRing = sql<number | null>`(
  select min(ring.ring)
  from rollouts other join rollout_rings ring on ring.rollout_id = other.id and ring.state <> 'Done'
  where other.upgrade_id = rollouts.upgrade_id and other.id <> rollouts.id and other.state in ('Running', 'Paused')
    and other.rolled_back_package_id is null and rollouts.rolled_back_package_id is null)`

const pausedTimes = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('fromUtc', lower(span), 'untilUtc', upper(span)) order by span), '[]')
  from unnest(paused_times) as span)`

/** Reads rollouts with their rings, in the order of the ids. */
export async function listRolloutRecords(db: Database, ids: readonly string[]): Promise<Rollout[]> {
  const { rows } = await sql<RolloutRow>`
    select id, name, group_id as "groupId", (select path from groups where groups.id = rollouts.group_id) as "groupPath",
      package_id as "packageId", (select packages.name from packages where packages.id = rollouts.package_id) as "packageName",
      state, is_emergency as "isEmergency", criteria,
      time_zone as "timeZone", deadline_at as "deadlineAt", user_deadline as "userDeadline", catch_up_days as "catchUpDays", catch_up_until as "catchUpUntil",
      resumed_at as "resumedAt", pause, ${pausedTimes} as "pausedTimes", findings, created_by as "createdBy", created_at as "createdAt",
      evaluated_at as "evaluatedAt", ended_at as "endedAt", version, is_wave as "isWave",
      expected_computers as "expectedComputers", upgrade_id as "upgradeId",
      rolled_back_package_id as "rolledBackPackageId", ${lastSharedRing} as "lastSharedRing"
    from rollouts where id = any(${ids}::uuid[])`.execute(db)
  const rings = await sql<RingRow & { rolloutId: string }>`
    select rollout_id as "rolloutId", ring, name, size_kind as "sizeKind", size, group_id as "groupId",
      positions_below as "positionsBelow", release_minutes as "releaseMinutes", windows, state, opened_at as "openedAt",
      criteria_met_at as "criteriaMetAt", done_at as "doneAt", planned_work as "plannedWork",
      planned_bytes::double precision as "plannedBytes", counts,
      (select path from groups where groups.id = rollout_rings.group_id) as "groupPath"
    from rollout_rings where rollout_id = any(${ids}::uuid[]) order by rollout_id, ring`.execute(db)
  const ringsOf = Map.groupBy(rings.rows, ({ rolloutId }) => rolloutId)
  // A rollout without rings was deleted between the two reads.
  const found = rows.filter(({ id }) => ringsOf.has(id))
  const byId = new Map(
    found.map((row) => [
      row.id,
      { ...row, pausedTimes: row.pausedTimes.map(toPausedTime), rings: (ringsOf.get(row.id) ?? []).map(toRing) },
    ]),
  )
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const toPausedTime = ({ fromUtc, untilUtc }: RolloutRow['pausedTimes'][number]): PausedTime => ({
  fromUtc: new Date(fromUtc ?? 0),
  untilUtc: untilUtc === null ? null : new Date(untilUtc),
})

function toRing({ sizeKind, size, groupId, ...ring }: RingRow & { rolloutId?: string }): RolloutRing {
  const { rolloutId: _, ...rest } = ring
  return { ...rest, rule: toRule(sizeKind, size, groupId) }
}

function toRule(kind: RingRule['kind'], size: number | null, groupId: string | null): RingRule {
  if (kind === 'Group') return { kind, groupId: groupId ?? '' }
  return kind === 'Rest' ? { kind } : { kind, size: size ?? 0 }
}

export async function getRolloutRecord(db: Database, id: string): Promise<Rollout> {
  const [found] = await listRolloutRecords(db, [id])
  if (!found) throw rolloutNotFound({ rolloutId: id })
  return found
}

/** Locks the rollout until the transaction ends: it does not advance meanwhile, and nobody else changes it. */
export async function lockRollout(db: Database, id: string): Promise<Rollout> {
  await sql`select from rollouts where id = ${id} for update`.execute(db)
  return getRolloutRecord(db, id)
}

/** Like `lockRollout`, but returns undefined if another transaction has locked the rollout or if it has ended. */
export async function tryLockRollout(db: Database, id: string): Promise<Rollout | undefined> {
  return (await tryLockRolloutRow(db, id)) ? getRolloutRecord(db, id) : undefined
}

/** The same without reading it. */
export async function tryLockRolloutRow(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from rollouts where id = ${id} and ended_at is null for update skip locked`.execute(db)
  return rows.length > 0
}

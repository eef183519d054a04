import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { groupScope } from '../deployments/activation/activation-scope.ts'
import { type StoredLimits, toLimitColumns } from '../deployments/activation/stored-limits.ts'
import type { StoredUserDeadline } from '../distribution/user-deadline.ts'
import type { MaintenanceWindow } from '../hand-out/rollout-windows.ts'
import type { Criteria } from './criteria.ts'
import { recordCounts } from './evaluate.ts'
import { type GuardSettings, guardRings } from './guard.ts'
import type { Pause } from './pause.ts'
import { recordPlan } from './plan.ts'
import { noComputersInGroup, nothingAssigned, packageNotAssignedToGroup } from './problems.ts'
import { type PlacedRing, placeRings, type RingRule } from './ring-membership.ts'
import { insertRolloutComputers, listCandidates } from './rollout-computers.ts'
import { getRolloutRecord, type Rollout } from './rollout-record.ts'
import { waveScope } from './rollout-scope.ts'

export type NewRing = { name: string; rule: RingRule; releaseMinutes: number; windows: MaintenanceWindow[] }

export type NewRollout = {
  name: string
  groupId: string
  packageId: string | null
  isEmergency: boolean
  criteria: Criteria
  timeZone: string | null
  deadlineAt: Date | null
  userDeadline: StoredUserDeadline | null
  catchUpDays: number
  /** The id is null for a wave, which nobody requested. */
  createdBy: { id: number | null; name: string }
  limits: StoredLimits
  rings: NewRing[]
  wave?: NewWave
  upgrade?: RolloutOfUpgrade
}

/** What makes a rollout one of an upgrade. */
export type RolloutOfUpgrade = {
  id: string
  /** For a rollback: the version that is taken back, and the only computers of the rollout. */
  rollBack?: { packageId: string; computerIds: readonly number[] }
}

/** What keeps the members of a group converged. */
export type NewWave = {
  computerIds: readonly number[]
  /** What it brings: hashes of work, and ids of fix packages. */
  changes: readonly string[]
  /** Set if it has more computers than expected: how many were. */
  expectedComputers: number | null
  /** Set if it waits for a person before its first ring. */
  pause: Pause | null
}

/** Inserts a rollout with its rings and their computers, and predicts what it will do. Nothing is released yet. */
export async function createRolloutRecord(db: Database, rollout: NewRollout, guard: GuardSettings): Promise<Rollout> {
  const { groupId, wave, upgrade } = rollout
  const id = await insertRollout(db, rollout)
  const groupIds = rollout.rings.flatMap(({ rule }) => (rule.kind === 'Group' ? [rule.groupId] : []))
  const { computers } = wave
    ? waveScope(groupId, wave.computerIds)
    : groupScope(groupId, false, upgrade?.rollBack?.computerIds)
  const candidates = await listCandidates(db, { id, computers }, groupIds)
  if (candidates.length === 0) throw noComputersInGroup({ groupId })
  if (!wave) await requireAssigned(db, rollout)
  const placed = placeRings(
    candidates,
    rollout.rings.map(({ rule }) => rule),
  )
  await insertRings(db, id, rollout.rings, placed)
  await insertRolloutComputers(db, id, candidates, placed)
  await guardRings(db, id, guard)
  const created = await getRolloutRecord(db, id)
  await recordPlan(db, created)
  await recordCounts(db, created)
  return getRolloutRecord(db, id)
}

/** Without an assignment, the rollout would go from ring to ring, do nothing, and end as a success. */
async function requireAssigned(db: Database, { groupId, packageId }: NewRollout): Promise<void> {
  const { rows } = await sql`
    select from (${groupScope(groupId, false).memberships}) as member
      join group_ancestors above on above.descendant_id = member.group_id
      join assigned_packages assigned on assigned.group_id = above.ancestor_id and assigned.single_kind is null
      join packages on packages.id = assigned.package_id and not packages.is_pre_os
    where ${packageId}::uuid is null or packages.id = ${packageId}::uuid
    limit 1`.execute(db)
  if (rows.length > 0) return
  throw packageId === null ? nothingAssigned({ groupId }) : packageNotAssignedToGroup({ groupId, packageId })
}

async function insertRollout(db: Database, rollout: NewRollout): Promise<string> {
  const { id } = await db
    .insertInto('rollouts')
    .values({
      name: rollout.name,
      group_id: rollout.groupId,
      package_id: rollout.packageId,
      is_emergency: rollout.isEmergency,
      criteria: JSON.stringify(rollout.criteria),
      time_zone: rollout.timeZone,
      deadline_at: rollout.deadlineAt,
      user_deadline: rollout.userDeadline && JSON.stringify(rollout.userDeadline),
      catch_up_days: rollout.catchUpDays,
      created_by: rollout.createdBy.name,
      created_by_id: rollout.createdBy.id,
      ...toLimitColumns(rollout.limits),
      ...(rollout.upgrade && {
        upgrade_id: rollout.upgrade.id,
        rolled_back_package_id: rollout.upgrade.rollBack?.packageId ?? null,
      }),
      ...(rollout.wave && {
        is_wave: true,
        wave_changes: [...rollout.wave.changes],
        expected_computers: rollout.wave.expectedComputers,
        ...(rollout.wave.pause && { state: 'Paused', pause: JSON.stringify(rollout.wave.pause) }),
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function insertRings(
  db: Database,
  rolloutId: string,
  rings: readonly NewRing[],
  placed: readonly PlacedRing[],
): Promise<void> {
  const rows = rings.map(({ name, rule, releaseMinutes, windows }, index) => ({
    rollout_id: rolloutId,
    ring: index + 1,
    name,
    size_kind: rule.kind,
    size: 'size' in rule ? rule.size : null,
    group_id: rule.kind === 'Group' ? rule.groupId : null,
    positions_below: placed[index]?.positionsBelow ?? null,
    release_minutes: releaseMinutes,
    windows: sql<string>`${JSON.stringify(windows)}::jsonb`,
  }))
  await db.insertInto('rollout_rings').values(rows).execute()
}

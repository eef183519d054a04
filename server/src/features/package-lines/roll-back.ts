import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { CountRemovals } from '../../platform/operation.ts'
import { replaceInGroups } from '../assignments/package-replacement.ts'
import type { Creator } from '../deployments/tasks.ts'
import { createRolloutRecord } from '../rollouts/create-rollout-record.ts'
import { completeCriteria } from '../rollouts/criteria.ts'
import { formatLineVersion } from './line-versions.ts'
import { lockGroupsOfUpgrade } from './lock-groups.ts'
import { rollBackImpossible, upgradeExpired, upgradeNotFound, upgradeRolledBack } from './problems.ts'
import { type ReachedComputer, reachedComputers } from './reached-computers.ts'
import { lockLine, nameRollout } from './start-upgrade.ts'

/** Why a group cannot go back to the version that it had. */
export const rollBackObstacles = [
  'GroupDeleted',
  'PackageDeleted',
  'NoContent',
  'NotReleased',
  'NoExactVersion',
  'AssignmentChanged',
] as const

type Obstacle = (typeof rollBackObstacles)[number]

export type RolledBackGroup = {
  groupId: string
  path: string | null
  oldPackageId: string
  oldVersion: string | null
  obstacle: Obstacle | null
}

export type RollBackResult = {
  /** Computers that get the previous version again. */
  computerCount: number
  /** Computers whose pending installation of the new version was withdrawn. */
  withdrawnCount: number
  groups: RolledBackGroup[]
}

export type NewRollBack = {
  upgradeId: string
  requestedBy: Creator
  countRemovals: CountRemovals
  /** Null unless the request was approved. */
  approvedContent: readonly string[] | null
}

/**
 * Brings the previous version back to the computers that an upgrade has reached: its rollouts end, the groups have the previous
 * version again, pending work is withdrawn, and a rollout of one ring reaches exactly the computers that have the new version.
 */
export async function rollBackUpgrade(db: Database, rollBack: NewRollBack): Promise<RollBackResult> {
  const { upgradeId, requestedBy, countRemovals } = rollBack
  const { packageId } = await lockUpgrade(db, upgradeId)
  await cancelRollouts(db, upgradeId)
  const found = await listGroups(db, upgradeId)
  await lockGroupsOfUpgrade(
    db,
    found.map(({ groupId }) => groupId),
  )
  const pending = await listPending(db, upgradeId)
  const groups = await restoreAssignments(db, packageId, found)
  if (groups.every(({ obstacle }) => obstacle !== null))
    throw rollBackImpossible({ upgradeId, groups: groups.map(({ rolloutGroupId: _, ...group }) => group) })
  const restored = new Set(groups.filter(({ obstacle }) => obstacle === null).map(({ groupId }) => groupId))
  const { rows: reached } = await reachedComputers(upgradeId).execute(db)
  const computers = reached.filter(({ group_id, is_begun }) => is_begun && restored.has(group_id))
  const ids = computers.map(({ computer_id }) => computer_id)
  await countRemovals(sql<{ computer_id: number }>`select unnest(${ids}::integer[]) as computer_id`)
  await createRollouts(db, rollBack, { packageId, computers, groups })
  await sql`
    update package_upgrades set rolled_back_by = ${requestedBy.name}, rolled_back_at = now() where id = ${upgradeId}`.execute(
    db,
  )
  return {
    computerCount: computers.length,
    withdrawnCount: pending.filter((id) => !ids.includes(id)).length,
    groups: groups.map(({ rolloutGroupId: _, ...group }) => group),
  }
}

async function lockUpgrade(db: Database, upgradeId: string): Promise<{ packageId: string }> {
  const find = async () => {
    const { rows } = await sql<{ packageId: string; lineKey: string; isRolledBack: boolean; hasRollouts: boolean }>`
      select package_id as "packageId", line_key as "lineKey", rolled_back_at is not null as "isRolledBack",
        exists (select from rollouts where upgrade_id = upgrade.id) as "hasRollouts"
      from package_upgrades upgrade where id = ${upgradeId}`.execute(db)
    if (!rows[0]) throw upgradeNotFound({ upgradeId })
    return rows[0]
  }
  await lockLine(db, (await find()).lineKey)
  const { packageId, isRolledBack, hasRollouts } = await find()
  if (isRolledBack) throw upgradeRolledBack({ upgradeId })
  if (!hasRollouts) throw upgradeExpired({ upgradeId })
  return { packageId }
}

/** They release nobody from now on. What they have left is cancelled within seconds, unless it is withdrawn at once. */
async function cancelRollouts(db: Database, upgradeId: string): Promise<void> {
  await sql`
    update rollouts set state = 'Cancelled', pause = null, version = version + 1
    where id = any(array(
      select id from rollouts where upgrade_id = ${upgradeId} and state not in ('Completed', 'Cancelled')
      order by id for update))`.execute(db)
}

type GroupOfUpgrade = RolledBackGroup & { rolloutGroupId: string }

async function listGroups(db: Database, upgradeId: string): Promise<GroupOfUpgrade[]> {
  const { rows } = await sql<GroupOfUpgrade>`
    select own.group_id as "groupId", groups.path, own.old_package_id as "oldPackageId", old.version as "oldVersion",
      own.rollout_group_id as "rolloutGroupId", case
        when groups.id is null then 'GroupDeleted'
        when old.id is null then 'PackageDeleted'
        when old.hash_state <> 'Current' then 'NoContent'
        when not old.is_operational then 'NotReleased'
        -- The repositories of a computer would give it their newest version again.
        when old.manifest -> 'source' is not null and old.manifest -> 'source' -> 'version' is null then 'NoExactVersion'
      end as obstacle
    from package_upgrade_groups own
      left join groups on groups.id = own.group_id
      left join packages old on old.id = own.old_package_id
    where own.upgrade_id = ${upgradeId} order by groups.path, own.group_id`.execute(db)
  return rows
}

async function listPending(db: Database, upgradeId: string): Promise<number[]> {
  const { rows } = await reachedComputers(upgradeId).execute(db)
  return rows.filter(({ is_begun }) => !is_begun).map(({ computer_id }) => computer_id)
}

async function restoreAssignments(
  db: Database,
  packageId: string,
  groups: readonly GroupOfUpgrade[],
): Promise<GroupOfUpgrade[]> {
  const possible = groups.filter(({ obstacle }) => obstacle === null)
  const statuses = await replaceInGroups(
    db,
    possible.map(({ groupId, oldPackageId }) => ({
      groupId,
      oldId: packageId,
      newId: oldPackageId,
      copyOptions: true,
    })),
  )
  return groups.map((group) => {
    const at = possible.indexOf(group)
    const isRestored = at < 0 || statuses[at] === 'Replaced' || statuses[at] === 'AlreadyAssigned'
    return isRestored ? group : { ...group, obstacle: 'AssignmentChanged' as const }
  })
}

type Restored = { packageId: string; computers: readonly ReachedComputer[]; groups: readonly GroupOfUpgrade[] }

/** A rollout brings one package through one group, so groups that had other versions have rollouts of their own. */
async function createRollouts(db: Database, rollBack: NewRollBack, { packageId, computers, groups }: Restored) {
  for (const [rolloutGroupId, inGroup] of Map.groupBy(computers, (computer) => computer.rollout_group_id))
    for (const [oldPackageId, ofVersion] of Map.groupBy(inGroup, (computer) => computer.old_package_id)) {
      const path = groups.find(({ groupId }) => groupId === rolloutGroupId)?.path ?? ''
      const name = nameRollout(`Roll back to ${await labelOf(db, oldPackageId)}`, path)
      const computerIds = ofVersion.map(({ computer_id }) => computer_id)
      const newRollout = {
        ...{ name, groupId: rolloutGroupId, packageId: oldPackageId, createdBy: rollBack.requestedBy },
        ...immediately,
        limits: { removals: null, approvedContent: rollBack.approvedContent },
        upgrade: { id: rollBack.upgradeId, rollBack: { packageId, computerIds } },
      }
      await createRolloutRecord(db, newRollout, unguarded)
    }
}

/** One ring, without windows: the new version is why somebody rolls back. The options of the groups still apply. */
const immediately = {
  isEmergency: false,
  criteria: completeCriteria({}),
  timeZone: null,
  deadlineAt: null,
  userDeadline: null,
  catchUpDays: 14,
  rings: [{ name: '1', rule: { kind: 'Rest' as const }, releaseMinutes: 0, windows: [] }],
}

/** The upgrade has reached these computers before, ring by ring. */
const unguarded = { maxRingPercent: 100, isLastOfSiteAllowed: true }

async function labelOf(db: Database, packageId: string): Promise<string> {
  const found = await db
    .selectFrom('packages')
    .select(['name', 'version', 'revision'])
    .where('id', '=', packageId)
    .executeTakeFirstOrThrow()
  return formatLineVersion(found)
}

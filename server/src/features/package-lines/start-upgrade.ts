import { sql } from 'kysely'
import { lockTextForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import type { CountRemovals } from '../../platform/operation.ts'
import { replaceInGroups } from '../assignments/package-replacement.ts'
import { groupScope } from '../deployments/activation/activation-scope.ts'
import { countPlannedRemovals } from '../deployments/activation/planned-removals.ts'
import type { Creator } from '../deployments/tasks.ts'
import { packageNotReleased } from '../packages/problems.ts'
import { createRolloutRecord } from '../rollouts/create-rollout-record.ts'
import type { GuardSettings } from '../rollouts/guard.ts'
import type { RolloutSettings } from '../rollouts/parse-rollout.ts'
import { formatLineVersion } from './line-versions.ts'
import { lockGroupsOfUpgrade } from './lock-groups.ts'
import { groupNotUpgradable, noOlderVersion, rolloutRunning } from './problems.ts'
import { type ProposedGroup, proposeUpgrade, type UpgradeProposal } from './upgrade-proposal.ts'

export type NewUpgrade = {
  packageId: string
  groupIds: readonly string[]
  /** What all rollouts of the upgrade have in common. */
  rollout: RolloutSettings
  createdBy: Creator
  guard: GuardSettings
  countRemovals: CountRemovals
  /** Null unless the request was approved. */
  approvedContent: readonly string[] | null
}

/** Upgrades and rollbacks of a line follow each other: each sees the assignments that the one before has left. */
export const lockLine = (db: Database, lineKey: string) => lockTextForTransaction(db, `package line ${lineKey}`)

/**
 * Replaces older versions of the line in the groups, and creates the rollouts that bring the new one, ring by ring. All of it or
 * nothing. Returns the id of the upgrade.
 */
export async function startUpgrade(db: Database, upgrade: NewUpgrade): Promise<string> {
  const { packageId, createdBy } = upgrade
  const { line } = await proposeUpgrade(db, packageId)
  await lockLine(db, line.key)
  const proposal = await proposeUpgrade(db, packageId)
  const { operational, hashState } = proposal.version
  if (!operational || hashState !== 'Current') throw packageNotReleased({ packageId })
  const groups = chooseGroups(proposal, upgrade.groupIds)
  const tops = await findTopGroups(db, groups)
  const { id } = await db
    .insertInto('package_upgrades')
    .values({ package_id: packageId, line_key: line.key, created_by: createdBy.name, created_by_id: createdBy.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const withComputers = groups.filter(
    ({ groupId, computerCount }) => computerCount > 0 && tops.get(groupId) === groupId,
  )
  await cancelCatchingUp(db, groups)
  await lockGroupsOfUpgrade(
    db,
    groups.map(({ groupId }) => groupId),
  )
  await replaceOlder(db, packageId, groups)
  await db
    .insertInto('package_upgrade_groups')
    .values(
      groups.map(({ groupId, old }) => ({
        upgrade_id: id,
        group_id: groupId,
        old_package_id: old.id,
        rollout_group_id: tops.get(groupId) ?? groupId,
      })),
    )
    .execute()
  for (const group of withComputers) await createRollout(db, upgrade, { id, proposal, group })
  return id
}

function chooseGroups({ groups }: UpgradeProposal, groupIds: readonly string[]): ProposedGroup[] {
  return [...new Set(groupIds)].map((groupId) => {
    const group = groups.find((proposed) => proposed.groupId === groupId)
    if (!group) throw noOlderVersion({ groupId })
    if (group.obstacle === 'RolloutRunning') throw rolloutRunning({ groupId })
    if (group.obstacle !== null) throw groupNotUpgradable({ groupId, reason: group.obstacle })
    return group
  })
}

/** Maps each group to the topmost of the groups above it or itself: its rollout reaches the computers of all below it. */
async function findTopGroups(db: Database, groups: readonly ProposedGroup[]): Promise<Map<string, string>> {
  const ids = groups.map(({ groupId }) => groupId)
  const { rows } = await sql<{ id: string; top: string }>`
    select distinct on (descendant_id) descendant_id as id, ancestor_id as top from group_ancestors
    where descendant_id = any(${ids}::uuid[]) and ancestor_id = any(${ids}::uuid[])
    order by descendant_id, distance desc`.execute(db)
  return new Map(rows.map(({ id, top }) => [id, top]))
}

/** A rollout of an older version that waits for computers that were away has nothing to bring any more. */
async function cancelCatchingUp(db: Database, groups: readonly ProposedGroup[]): Promise<void> {
  const groupIds = groups.map(({ groupId }) => groupId)
  const oldIds = groups.flatMap((group) => group.oldIds)
  await sql`
    update rollouts set state = 'Cancelled', version = version + 1
    where id = any(array(
      select id from rollouts
      where state = 'CatchingUp' and ended_at is null and not is_wave
        and group_id = any(${groupIds}::uuid[]) and package_id = any(${oldIds}::uuid[])
      order by id for update))`.execute(db)
}

async function replaceOlder(db: Database, newId: string, groups: readonly ProposedGroup[]): Promise<void> {
  const replacements = groups.flatMap(({ groupId, oldIds }) =>
    oldIds.map((oldId) => ({ groupId, oldId, newId, copyOptions: true })),
  )
  const statuses = await replaceInGroups(db, replacements)
  const failed = statuses.findIndex((status) => status !== 'Replaced' && status !== 'AlreadyAssigned')
  if (failed < 0) return
  const { groupId } = replacements[failed] ?? {}
  throw statuses[failed] === undefined
    ? noOlderVersion({ groupId })
    : groupNotUpgradable({ groupId, reason: statuses[failed] })
}

type GroupOfUpgrade = { id: string; proposal: UpgradeProposal; group: ProposedGroup }

async function createRollout(db: Database, upgrade: NewUpgrade, { id, proposal, group }: GroupOfUpgrade) {
  const { packageId, createdBy, rollout, guard, countRemovals } = upgrade
  const scope = groupScope(group.groupId, false)
  const removals = await countPlannedRemovals(db, countRemovals, { scope, software: true, pxe: false, packageId })
  const name = nameRollout(formatLineVersion(proposal.version), group.path)
  await createRolloutRecord(
    db,
    {
      ...rollout,
      ...{ name, groupId: group.groupId, packageId, createdBy, upgrade: { id } },
      limits: { removals, approvedContent: upgrade.approvedContent },
    },
    guard,
  )
}

const maxNameLength = 255

/** The name of a rollout for a group, by the last part of its path. */
export function nameRollout(label: string, path: string): string {
  return `${label}: ${path.slice(path.lastIndexOf('/') + 1)}`.slice(0, maxNameLength)
}

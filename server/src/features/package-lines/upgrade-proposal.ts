import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { findGroupsCoveredByClass } from '../assignments/software-class-coverage.ts'
import { isSpecial } from '../groups/groups.ts'
import { requirePackage } from '../packages/package-rows.ts'
import { findLineOf, type LineVersion, listOlder, type PackageLine } from './line-versions.ts'
import { notInLine } from './problems.ts'

export const proposalObstacles = ['SpecialGroup', 'CoveredBySoftwareClass', 'RolloutRunning'] as const

export type ProposedGroup = {
  groupId: string
  path: string
  /** The newest of the older versions that the group has. */
  old: LineVersion
  /** All of them. */
  oldIds: string[]
  computerCount: number
  obstacle: (typeof proposalObstacles)[number] | null
}

export type UpgradeProposal = { line: PackageLine; version: LineVersion; groups: ProposedGroup[] }

/** The groups to which an older version of the line is assigned directly, by path. */
export async function proposeUpgrade(db: Database, packageId: string): Promise<UpgradeProposal> {
  const line = await findLineOf(db, packageId)
  const version = line?.versions.find(({ id }) => id === packageId)
  if (!line || !version) {
    await requirePackage(db, packageId)
    throw notInLine({ packageId })
  }
  const older = listOlder(line, packageId)
  const found = await listAssigningGroups(db, older)
  const ids = found.map(({ groupId }) => groupId)
  const covered = await findGroupsCoveredByClass(db, ids, packageId)
  const groups = found.flatMap(({ groupId, path, kind, computerCount, assignedIds, isRollingOut }) => {
    const assigned = older.filter(({ id }) => assignedIds.includes(id))
    const [old] = assigned
    if (!old) return []
    const obstacle = isSpecial(kind)
      ? ('SpecialGroup' as const)
      : covered.has(groupId)
        ? ('CoveredBySoftwareClass' as const)
        : isRollingOut
          ? ('RolloutRunning' as const)
          : null
    return { groupId, path, old, oldIds: assigned.map(({ id }) => id), computerCount, obstacle }
  })
  return { line, version, groups }
}

type AssigningGroup = {
  groupId: string
  path: string
  kind: string
  computerCount: number
  assignedIds: string[]
  isRollingOut: boolean
}

/** A rollout of an older version that has not finished its rings would lose what it brings. */
async function listAssigningGroups(db: Database, older: readonly LineVersion[]): Promise<AssigningGroup[]> {
  if (older.length === 0) return []
  const olderIds = older.map(({ id }) => id)
  const { rows } = await sql<AssigningGroup>`
    select groups.id as "groupId", groups.path, groups.kind, array_agg(assigned.package_id::text) as "assignedIds",
      (select count(distinct member.computer_id)::integer
        from group_ancestors below join effective_memberships member on member.group_id = below.descendant_id
        where below.ancestor_id = groups.id) as "computerCount",
      exists (
        select from rollouts running
          join group_ancestors above on above.ancestor_id = running.group_id and above.descendant_id = groups.id
        where running.ended_at is null and running.state in ('Running', 'Paused') and not running.is_wave
          and running.package_id = any(${olderIds}::uuid[])) as "isRollingOut"
    from group_packages assigned join groups on groups.id = assigned.group_id
    where assigned.package_id = any(${olderIds}::uuid[])
    group by groups.id, groups.path, groups.kind
    order by groups.path`.execute(db)
  return rows
}

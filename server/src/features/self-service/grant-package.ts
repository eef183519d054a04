import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { CountRemovals } from '../../platform/operation.ts'
import { pinPackage, requireEndpoint } from '../assignments/assignable-package.ts'
import { ensureGroupOfPackage } from '../assignments/group-of-package.ts'
import { computerNotFound, lockComputer } from '../computers/computers.ts'
import { activate } from '../deployments/activation/activate.ts'
import { groupScope, pinScopeGroups } from '../deployments/activation/activation-scope.ts'
import { isForPackage } from '../deployments/activation/due-work.ts'
import { packageNotApplicable } from '../deployments/problems.ts'
import { findNearestPackage } from '../deployments/request-reinstall.ts'
import type { Creator } from '../deployments/tasks.ts'
import { lockGroupTrees } from '../groups/groups.ts'
import { insertMembers } from '../groups/insert-members.ts'
import { isInstallable } from '../work-states/applicability.ts'

export type Grant = {
  computerId: number
  packageId: string
  createdBy: Creator
  countRemovals: CountRemovals
  /** Throws if the caller may not change groups. */
  requireGroupRights(): void
}

/**
 * Gives a computer a package as an administrator would: unless the package is assigned to it, the computer becomes a member of a
 * group that has the package. It is activated for that group. To take the package back, remove the computer from the group.
 */
export async function grantPackage(
  db: Database,
  { computerId, packageId, createdBy, countRemovals, requireGroupRights }: Grant,
): Promise<{ trackingId: string | null }> {
  await lockGroupTrees(db)
  requireEndpoint(await pinPackage(db, packageId), 'packages')
  const assigned = await findNearestPackage(db, computerId, sql`packages.id = ${packageId}`)
  if (!assigned) requireGroupRights()
  const groupId = assigned?.group_id ?? (await joinGroupOfPackage(db, computerId, packageId))
  await requireApplicable(db, computerId, packageId)
  const scope = groupScope(groupId, false, [computerId])
  await pinScopeGroups(db, scope)
  await lockComputer(db, computerId)
  const { trackingId } = await activate(db, {
    scope,
    ...{ software: true, pxe: false, pull: false, wakeAt: null, srl: null },
    task: { kind: 'Activation', computerId, groupId, packageId, createdBy },
    // Others of its packages wait for their own activation.
    only: isForPackage(packageId),
    limit: { countRemovals },
  })
  return { trackingId }
}

async function joinGroupOfPackage(db: Database, computerId: number, packageId: string): Promise<string> {
  const group = await ensureGroupOfPackage(db, packageId)
  const members = await insertMembers(db, group, [computerId])
  if (members.size === 0) throw computerNotFound({ clientId: computerId })
  return group.id
}

async function requireApplicable(db: Database, computerId: number, packageId: string): Promise<void> {
  const { rows } = await sql`
    select from packages, computer_platforms platform
    where packages.id = ${packageId} and platform.computer_id = ${computerId} and ${isInstallable('packages', 'platform')}`.execute(
    db,
  )
  if (rows.length === 0) throw packageNotApplicable({ clientId: computerId, packageId })
}

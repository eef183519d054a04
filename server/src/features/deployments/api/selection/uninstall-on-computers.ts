import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { lockComputers } from '../../../computers/computers.ts'
import { type AssigningGroup, setUninstall } from '../../../distribution/replace-action.ts'
import { computersBelow } from '../../../groups/affected-computers.ts'
import { lockGroupTreesShared } from '../../../groups/groups.ts'
import { requireRemovable } from '../../../packages/distributable.ts'
import { requirePackage } from '../../../packages/package-rows.ts'
import { noUninstallCommand, packageNotFound } from '../../../packages/problems.ts'
import { cancelOpenWorkOn } from '../../../work-states/cancel-work.ts'
import { activate } from '../../activation/activate.ts'
import { lockScope, pinScopeGroups } from '../../activation/activation-scope.ts'
import { isForPackage } from '../../activation/due-work.ts'
import { createdContentOf } from '../../activation/planned-content.ts'
import { packageScope } from '../../selection/assigned-packages.ts'
import { countWorkOf } from '../../selection/count-work.ts'
import { countComputersBelow, listGroupsOfSelection } from '../../selection/groups-of-selection.ts'
import { groupsToUninstallFrom, listUninstallTargets, type UninstallTarget } from '../../selection/uninstall-targets.ts'
import { SelectionPackageRequest, SelectionUninstallation } from './schemas.ts'

export const uninstallOnComputers = operation({
  id: 'uninstallOnComputers',
  route: 'POST /api/fleet/computers/software-uninstall',
  summary: 'Uninstall a package from selected computers',
  description:
    'Does for each of the computers what uninstallSoftware does, as one task: the distribution options of the nearest assignment ' +
    'say Uninstall from then on, so every computer of these groups uninstalls the package at its next activation. Computers to ' +
    'which the package is not assigned, or on which it is not installed, are left out and counted; other packages are not touched.',
  role: 'activation.execute',
  execution: { kind: 'LongChange' },
  extension: true,
  massAction: {
    computers: ({ body }) => computersBelow(groupsToUninstallFrom(body)),
    groups: ({ body }) => groupsToUninstallFrom(body),
  },
  destructive: true,
  removals: 'Declared',
  content: ({ body }) => createdContentOf(body.packageId),
  body: SelectionPackageRequest,
  returns: ok(SelectionUninstallation),
  problems: [packageNotFound, noUninstallCommand],
  async handle({ body: { computerIds, packageId }, db, caller, countRemovals }) {
    await lockGroupTreesShared(db)
    await requirePackage(db, packageId)
    await requireRemovable(db, packageId)
    await pinScopeGroups(db, packageScope({ computerIds, packageId }))
    const found = await lockComputers(db, computerIds)
    const targets = await listUninstallTargets(db, { computerIds: found, packageId })
    const installed = targets.filter(({ is_installed }) => is_installed)
    const due = installed.filter(({ is_pending }) => !is_pending).map(({ computer_id }) => computer_id)
    const scope = packageScope({ computerIds: due, packageId })
    await setUninstall(db, packageId, assigningGroups(installed))
    await lockScope(db, scope)
    await cancelOtherRequests(db, due, packageId)
    const { trackingId } = await activate(db, {
      scope,
      ...{ software: true, pxe: false, pull: false, wakeAt: null, srl: null },
      task: { kind: 'Uninstall', packageId, createdBy: caller.principal },
      only: isForPackage(packageId),
      limit: { countRemovals },
    })
    const groups = await listGroupsOfSelection(db, installed)
    const computersOf = await countComputersBelow(
      db,
      groups.map(({ groupId }) => groupId),
    )
    return {
      packageId,
      computersWithWork: await countWorkOf(db, trackingId),
      alreadyPending: installed.length - due.length,
      notInstalled: targets.length - installed.length,
      notAssigned: found.length - targets.length,
      notFound: new Set(computerIds).size - found.length,
      groups: groups.map((group) => ({ ...group, computers: computersOf.get(group.groupId) ?? 0 })),
      trackingId,
    }
  },
})

/** Each group once. It has the package through one class at most, for all its computers. */
function assigningGroups(targets: readonly UninstallTarget[]): AssigningGroup[] {
  return [...new Map(targets.map(({ group_id, class_id }) => [group_id, { group_id, class_id }])).values()]
}

/** Cancels open work and pending reinstalls of the package: neither may keep it from being uninstalled. */
async function cancelOtherRequests(db: Database, computerIds: readonly number[], packageId: string): Promise<void> {
  await cancelOpenWorkOn(db, computerIds, packageId)
  await sql`
    delete from reinstall_groups
    where computer_id = any(${computerIds}::integer[]) and package_id = ${packageId}`.execute(db)
}

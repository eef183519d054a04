import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import type { EffectivePackage } from '../../../assignments/effective-packages.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, lockComputer } from '../../../computers/computers.ts'
import { setUninstall } from '../../../distribution/replace-action.ts'
import { computersBelow } from '../../../groups/affected-computers.ts'
import { lockGroupTreesShared, pinGroup } from '../../../groups/groups.ts'
import { requireRemovable } from '../../../packages/distributable.ts'
import { noUninstallCommand } from '../../../packages/problems.ts'
import { cancelOpenWork } from '../../../work-states/cancel-work.ts'
import { isOpenWork } from '../../../work-states/work-states.ts'
import { activate } from '../../activation/activate.ts'
import { computerScope, lockScope, pinScopeGroups } from '../../activation/activation-scope.ts'
import { plannedContent } from '../../activation/planned-content.ts'
import { packageNotAssignedToComputer } from '../../problems.ts'
import { findNearestPackage, nearestAssigningGroup } from '../../request-reinstall.ts'
import { packageNotInstalled, uninstallAlreadyPending } from './problems.ts'
import { SoftwareUninstallRequest, SoftwareUninstallTriggered } from './schemas.ts'

export const uninstallSoftware = operation({
  id: 'uninstallSoftware',
  route: 'POST /api/computer/:id/software-uninstall',
  summary: 'Uninstall a package and activate the computer',
  description:
    'Sets Uninstall in the distribution options of the nearest assignment: every computer of that group uninstalls the ' +
    'package at its next activation. Activates this computer now and cancels its other open work with the package. Does ' +
    'not remove the assignment, whether the package is assigned itself or through a software class. Answers 409 if the ' +
    'package is not assigned, is not installed, its uninstall is already pending on this computer, or it has no command that ' +
    'uninstalls it.',
  role: 'activation.execute',
  massAction: {
    computers: ({ params, body }) => computersBelow(nearestAssigningGroup(params.id, body.packageId)),
    groups: ({ params, body }) => nearestAssigningGroup(params.id, body.packageId),
  },
  destructive: true,
  removals: 'Declared',
  content: ({ params }) => plannedContent({ scope: computerScope(params.id, true), software: true, pxe: false }),
  params: ComputerPath,
  body: SoftwareUninstallRequest,
  returns: ok(SoftwareUninstallTriggered),
  problems: [
    ...[computerNotFound, packageNotAssignedToComputer, packageNotInstalled, uninstallAlreadyPending],
    noUninstallCommand,
  ],
  async handle({ params: { id: clientId }, body: { packageId }, db, caller, countRemovals }) {
    await lockGroupTreesShared(db)
    const scope = computerScope(clientId, true)
    await pinScopeGroups(db, scope)
    await lockComputer(db, clientId)
    const assignment = await requireNearestAssignment(db, clientId, packageId)
    const groupId = assignment.group_id
    if (!(await isInstalled(db, clientId, packageId))) throw packageNotInstalled({ clientId, packageId })
    if (await isUninstallPending(db, clientId, packageId))
      throw uninstallAlreadyPending({ clientId, packageId, groupId })
    await requireRemovable(db, packageId)
    await pinGroup(db, groupId)
    await setUninstall(db, packageId, [assignment])
    await lockScope(db, scope)
    await cancelOtherRequests(db, clientId, packageId)
    const { trackingId } = await activate(db, {
      scope,
      software: true,
      pxe: false,
      pull: false,
      wakeAt: null,
      srl: null,
      task: { kind: 'Uninstall', computerId: clientId, packageId, createdBy: caller.principal },
      limit: { countRemovals },
    })
    return { clientId, packageId, groupId, trackingId }
  },
})

/** Cancels open work and a pending reinstall of the package: neither may keep it from being uninstalled. */
async function cancelOtherRequests(db: Database, clientId: number, packageId: string): Promise<void> {
  await cancelOpenWork(db, clientId, packageId)
  await db
    .deleteFrom('reinstall_groups')
    .where('computer_id', '=', clientId)
    .where('package_id', '=', packageId)
    .execute()
}

async function isInstalled(db: Database, clientId: number, packageId: string): Promise<boolean> {
  const found = await db
    .selectFrom('deployments')
    .select('installation_state')
    .where('computer_id', '=', clientId)
    .where('package_id', '=', packageId)
    .executeTakeFirst()
  return found?.installation_state === 'Installed'
}

/** The options belong to the whole group: they may say Uninstall because of another computer. */
async function isUninstallPending(db: Database, clientId: number, packageId: string): Promise<boolean> {
  const { rows } = await sql`
    select from work
    where computer_id = ${clientId} and package_id = ${packageId} and kind = 'Uninstall' and ${isOpenWork('state')}`.execute(
    db,
  )
  return rows.length > 0
}

async function requireNearestAssignment(db: Database, clientId: number, packageId: string): Promise<EffectivePackage> {
  const nearest = await findNearestPackage(db, clientId, sql`packages.id = ${packageId}`)
  if (!nearest) throw packageNotAssignedToComputer({ clientId, packageId })
  return nearest
}

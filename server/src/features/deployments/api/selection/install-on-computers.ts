import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { wrongEndpointForType } from '../../../assignments/api/groups/problems.ts'
import { pinPackage, requireEndpoint } from '../../../assignments/assignable-package.ts'
import { ensureGroupOfPackage } from '../../../assignments/group-of-package.ts'
import { lockComputers } from '../../../computers/computers.ts'
import { lockGroupTrees } from '../../../groups/groups.ts'
import { insertMembers } from '../../../groups/insert-members.ts'
import { requireDistributable } from '../../../packages/distributable.ts'
import { packageNotFound, packageNotReleased } from '../../../packages/problems.ts'
import { activate } from '../../activation/activate.ts'
import { pinScopeGroups } from '../../activation/activation-scope.ts'
import { planForDryRun } from '../../activation/deployment-plan.ts'
import { isForPackage } from '../../activation/due-work.ts'
import { createdContentOf } from '../../activation/planned-content.ts'
import { packageScope } from '../../selection/assigned-packages.ts'
import { countWorkOf } from '../../selection/count-work.ts'
import { listGroupsOfSelection } from '../../selection/groups-of-selection.ts'
import { computersToInstallOn, type InstallTarget, listInstallTargets } from '../../selection/install-targets.ts'
import { SelectionInstallation, SelectionPackageRequest } from './schemas.ts'

export const installOnComputers = operation({
  id: 'installOnComputers',
  route: 'POST /api/fleet/computers/software-install',
  summary: 'Install a package on selected computers',
  description:
    'Computers to which the package is not assigned become members of its assignment group below `Requested software`, which is ' +
    'created if necessary; to take the package back, remove them from the group. The package, and what it requires, is due on all ' +
    'of them now, as one task; other packages wait for their own activation. Computers that have the package, that it is not for, ' +
    'or whose options say Uninstall are left out and counted. To install on more computers, put them into a group.',
  role: 'activation.execute',
  alsoRequires: ['group.write'],
  execution: { kind: 'LongChange' },
  extension: true,
  massAction: { computers: ({ body }) => computersToInstallOn(body) },
  removals: 'Published',
  content: ({ body }) => createdContentOf(body.packageId),
  body: SelectionPackageRequest,
  returns: ok(SelectionInstallation),
  problems: [packageNotFound, packageNotReleased, wrongEndpointForType],
  async handle(call) {
    const {
      body: { computerIds, packageId },
      db,
      caller,
      countRemovals,
    } = call
    await lockGroupTrees(db)
    requireEndpoint(await pinPackage(db, packageId), 'packages')
    await requireDistributable(db, packageId)
    const targets = await listInstallTargets(db, { computerIds, packageId })
    const due = targets.filter(({ state }) => state === 'Due')
    const joined = await joinGroupOfPackage(db, packageId, due)
    const installing = due.map(({ computer_id }) => computer_id)
    const scope = packageScope({ computerIds: installing, packageId })
    await pinScopeGroups(db, scope)
    await lockComputers(db, installing)
    const plan = await planForDryRun(call, { scope, software: true, pxe: false, packageId })
    const { trackingId } = await activate(db, {
      scope,
      ...{ software: true, pxe: false, pull: false, wakeAt: null, srl: null },
      task: { kind: 'Activation', packageId, createdBy: caller.principal },
      only: isForPackage(packageId),
      limit: { countRemovals },
    })
    const groups = await listGroupsOfSelection(
      db,
      due.map(({ group_id }) => ({ group_id: group_id ?? joined.groupId })),
    )
    return {
      packageId,
      computersWithWork: await countWorkOf(db, trackingId),
      ...countLeftOut(targets),
      notFound: new Set(computerIds).size - targets.length,
      groups: groups.map((group) => ({ ...group, isJoined: group.groupId === joined.groupId })),
      joinedComputerIds: joined.computerIds,
      trackingId,
      plan,
    }
  },
})

type Joined = { groupId: string | null; computerIds: number[] }

/** Makes the computers members of the group of the package that have it from no other group. */
async function joinGroupOfPackage(db: Database, packageId: string, targets: readonly InstallTarget[]): Promise<Joined> {
  const ids = targets.filter(({ group_id }) => group_id === null).map(({ computer_id }) => computer_id)
  if (ids.length === 0) return { groupId: null, computerIds: [] }
  const group = await ensureGroupOfPackage(db, packageId)
  const members = await insertMembers(db, group, ids)
  return { groupId: group.id, computerIds: ids.filter((id) => members.get(id) === 'Added') }
}

function countLeftOut(targets: readonly InstallTarget[]) {
  const countOf = (wanted: InstallTarget['state']) => targets.filter(({ state }) => state === wanted).length
  return {
    alreadyInstalled: countOf('Installed'),
    notApplicable: countOf('NotApplicable'),
    toUninstall: countOf('ToUninstall'),
  }
}

import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, lockComputer } from '../../../computers/computers.ts'
import { lockGroupTreesShared } from '../../../groups/groups.ts'
import { isApplicable } from '../../../work-states/applicability.ts'
import { computerScope, pinScopeGroups } from '../../activation/activation-scope.ts'
import { reinstallGroupRows } from '../../reinstall-groups.ts'
import { findNearestPackage, requestReinstall } from '../../request-reinstall.ts'
import { scanPackageNotAssigned } from './problems.ts'
import { RescanRequest, RescanTriggered } from './schemas.ts'

const scanKinds = { Inventory: 'InventoryScan', Patch: 'PatchScan' } as const

export const rescanComputer = operation({
  id: 'rescanComputer',
  route: 'POST /api/computer/:id/rescan',
  summary: 'Request an inventory or patch scan of a computer',
  description:
    'Requests the reinstall of the nearest assigned scan package that is for the computer; the agent scans at its next contact. If that reinstall ' +
    'is already pending, returns it with `alreadyPending`. It can be cancelled like any other reinstall. Answers 409 if no ' +
    'scan package is assigned.',
  role: 'scan.execute',
  params: ComputerPath,
  body: RescanRequest,
  returns: ok(RescanTriggered),
  problems: [computerNotFound, scanPackageNotAssigned],
  async handle({ params: { id: clientId }, body: { scanType }, db, caller }) {
    await lockGroupTreesShared(db)
    await pinScopeGroups(db, computerScope(clientId, true))
    await lockComputer(db, clientId)
    const isScan = sql<boolean>`packages.kind = ${scanKinds[scanType]} and ${isApplicable('packages', 'platform')}`
    const scan = await findNearestPackage(db, clientId, isScan)
    if (!scan) throw scanPackageNotAssigned({ clientId, scanType })
    // The computer is locked, so nobody else can request a scan in the meantime.
    const pending = await reinstallGroupRows(db)
      .where('reinstall_groups.computer_id', '=', clientId)
      .where('reinstall_groups.package_id', '=', scan.package_id)
      .executeTakeFirst()
    if (pending) return { ...pending, alreadyPending: true }
    return {
      ...(await requestReinstall(db, { kind: 'Rescan', createdBy: caller.principal }, scan)),
      alreadyPending: false,
    }
  },
})

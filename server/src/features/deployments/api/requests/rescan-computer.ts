import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, lockComputer } from '../../../computers/computer-rows.ts'
import { lockGroupTreesShared } from '../../../groups/groups.ts'
import { reinstallGroupRows } from '../../reinstall-groups.ts'
import { findNearestPackage, requestReinstall } from '../../request-reinstall.ts'
import { scanPackageNotAssigned } from './problems.ts'
import { RescanRequest, RescanTriggered } from './schemas.ts'

const scanKinds = { Inventory: 'InventoryScan', Patch: 'PatchScan' } as const

export const rescanComputer = operation({
  id: 'rescanComputer',
  route: 'POST /api/computer/:id/rescan',
  summary: 'Have the inventory or the patches of a computer scanned at the next contact of its agent',
  description:
    'Requests the reinstall of the package for such scans, of several the nearest. While that is pending, it is returned ' +
    'again with `alreadyPending`. It can be cancelled like any other reinstall.',
  role: 'scan.execute',
  params: ComputerPath,
  body: RescanRequest,
  returns: ok(RescanTriggered),
  problems: [computerNotFound, scanPackageNotAssigned],
  async handle({ params: { id: clientId }, body: { scanType }, db }) {
    await lockGroupTreesShared(db)
    await lockComputer(db, clientId)
    const scan = await findNearestPackage(db, clientId, sql`packages.kind = ${scanKinds[scanType]}`)
    if (!scan) throw scanPackageNotAssigned({ clientId, scanType })
    // Nobody else can request one meanwhile, because the computer is held.
    const pending = await reinstallGroupRows(db)
      .where('reinstall_groups.computer_id', '=', clientId)
      .where('reinstall_groups.package_id', '=', scan.package_id)
      .executeTakeFirst()
    if (pending) return { ...pending, alreadyPending: true }
    return { ...(await requestReinstall(db, 'Rescan', scan)), alreadyPending: false }
  },
})

import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf, Type, Uuid } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { reinstallGroupRows } from '../../reinstall-groups.ts'
import { ReinstallGroup } from './schemas.ts'

export const listSoftwareReinstalls = operation({
  id: 'listSoftwareReinstalls',
  route: 'GET /api/computer/:id/software-reinstall',
  summary: 'List the pending reinstalls of a computer, including requested scans',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    ...paging,
    packageId: Type.Optional({ ...Uuid, description: 'Only the reinstall of this package' }),
  }),
  returns: ok(pagedResultOf(ReinstallGroup)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, query, db } = call
    await requireComputer(db, params.id)
    let groups = reinstallGroupRows(db).where('reinstall_groups.computer_id', '=', params.id)
    if (query.packageId) groups = groups.where('reinstall_groups.package_id', '=', query.packageId)
    return pageOf(call, groups, { columns: ['reinstallGroupId'] })
  },
})

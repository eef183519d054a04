import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { diskRows } from '../hardware.ts'
import { DiskDrive } from './schemas.ts'

export const listDisks = operation({
  id: 'listDisks',
  route: 'GET /api/computer/:id/inventory/disks',
  summary: 'List the volumes of a computer',
  description: 'In the order in which the last inventory reported them.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(DiskDrive)),
  problems: [computerNotFound],
  async handle(call) {
    await requireComputer(call.db, call.params.id)
    return pageOf(call, diskRows(call.db, call.params.id), { columns: ['position'] })
  },
})

import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { monitorRows } from '../hardware.ts'
import { DesktopMonitor } from '../items.ts'

export const listMonitors = operation({
  id: 'listMonitors',
  route: 'GET /api/computer/:id/inventory/monitors',
  summary: 'List the monitors of a computer',
  description: 'In the order in which the last inventory reported them.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(DesktopMonitor)),
  problems: [computerNotFound],
  async handle(call) {
    await requireComputer(call.db, call.params.id)
    return pageOf(call, monitorRows(call.db, call.params.id), { columns: ['position'] })
  },
})

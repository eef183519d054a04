import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { printerRows } from '../hardware.ts'
import { Printer } from '../items.ts'

export const listPrinters = operation({
  id: 'listPrinters',
  route: 'GET /api/computer/:id/inventory/printers',
  summary: 'List the printers of a computer',
  description: 'In the order in which the last inventory reported them.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(Printer)),
  problems: [computerNotFound],
  async handle(call) {
    await requireComputer(call.db, call.params.id)
    return pageOf(call, printerRows(call.db, call.params.id), { columns: ['position'] })
  },
})

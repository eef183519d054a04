import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { processorRows } from '../hardware.ts'
import { Processor } from '../items.ts'

export const listProcessors = operation({
  id: 'listProcessors',
  route: 'GET /api/computer/:id/inventory/processors',
  summary: 'List the processors of a computer',
  description: 'In the order in which the last inventory reported them.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(Processor)),
  problems: [computerNotFound],
  async handle(call) {
    await requireComputer(call.db, call.params.id)
    return pageOf(call, processorRows(call.db, call.params.id), { columns: ['position'] })
  },
})

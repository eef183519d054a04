import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { networkAdapterRows } from '../hardware.ts'
import { NetworkAdapter } from '../items.ts'

export const listNetworkAdapters = operation({
  id: 'listNetworkAdapters',
  route: 'GET /api/computer/:id/inventory/network-adapters',
  summary: 'List the network adapters of a computer',
  description: 'In the order in which the last inventory reported them.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(NetworkAdapter)),
  problems: [computerNotFound],
  async handle(call) {
    await requireComputer(call.db, call.params.id)
    return pageOf(call, networkAdapterRows(call.db, call.params.id), { columns: ['position'] })
  },
})

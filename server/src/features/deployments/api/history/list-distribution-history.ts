import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { distributionEventRows } from '../../history-rows.ts'
import { ComputerDistributionEvent } from './schemas.ts'

export const listDistributionHistory = operation({
  id: 'listDistributionHistory',
  route: 'GET /api/computer/:id/distribution-history',
  summary: 'List the distribution events of a computer, newest first',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(ComputerDistributionEvent)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, db } = call
    await requireComputer(db, params.id)
    const events = distributionEventRows(db).where('distribution_events.computer_id', '=', params.id)
    return pageOf(call, events, { columns: ['id'], descending: true })
  },
})

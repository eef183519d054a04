import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { setupErrorRows } from '../../history-rows.ts'
import { SetupErrorLogEntry } from './schemas.ts'

export const listSetupErrorLog = operation({
  id: 'listSetupErrorLog',
  route: 'GET /api/computer/:id/setup-error-log',
  summary: 'List the output of failed commands on a computer, newest first',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(SetupErrorLogEntry)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, db } = call
    await requireComputer(db, params.id)
    return pageOf(call, setupErrorRows(db, params.id), { columns: ['id'], descending: true })
  },
})

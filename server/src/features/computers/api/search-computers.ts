import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { computerRows } from '../computer-rows.ts'
import { matchComputers } from '../match-computers.ts'
import { Computer, ComputerSearchFilter } from './schemas.ts'

export const searchComputers = operation({
  id: 'searchComputers',
  route: 'POST /api/computer/search',
  summary: 'Search for computers',
  description:
    'Returns the computers that meet all criteria, ordered by id. A filter without criteria returns all computers.',
  role: 'computer.read',
  execution: { kind: 'Read' },
  query: closed(paging),
  body: ComputerSearchFilter,
  returns: ok(pagedResultOf(Computer)),
  async handle(call) {
    const { db, body } = call
    return pageOf(call, computerRows(db), { columns: ['id'] }, await matchComputers(db, body))
  },
})

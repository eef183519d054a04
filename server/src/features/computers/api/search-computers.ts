import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { computerRows } from '../computer-rows.ts'
import { matchingComputers } from '../match-computers.ts'
import { Computer, ComputerSearchFilter } from './schemas.ts'

export const searchComputers = operation({
  id: 'searchComputers',
  route: 'POST /api/computer/search',
  summary: 'Search computers by any of their fields',
  role: 'computer.read',
  readonly: true,
  query: closed(paging),
  body: ComputerSearchFilter,
  returns: ok(pagedResultOf(Computer)),
  async handle(call) {
    const { db, body } = call
    return pageOf(call, computerRows(db), { columns: ['id'] }, await matchingComputers(db, body))
  },
})

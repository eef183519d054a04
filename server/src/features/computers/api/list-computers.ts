import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type } from '../../../platform/schema.ts'
import { computerRows } from '../computer-rows.ts'
import { matchComputers } from '../match-computers.ts'
import { Computer, timeCriteria } from './schemas.ts'

export const listComputers = operation({
  id: 'listComputers',
  route: 'GET /api/computer',
  summary: 'List computers',
  description: 'Computers are ordered by id. Filters combine with AND. To filter by other fields, use searchComputers.',
  role: 'computer.read',
  query: closed({ ...paging, ...Type.Partial(closed(timeCriteria)).properties }),
  returns: ok(pagedResultOf(Computer)),
  async handle(call) {
    const { db, query } = call
    const { skip: _skip, top: _top, cursor: _cursor, ...criteria } = query
    return pageOf(call, computerRows(db), { columns: ['id'] }, await matchComputers(db, criteria))
  },
})

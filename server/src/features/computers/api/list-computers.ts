import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type } from '../../../platform/schema.ts'
import { computerRows } from '../computer-rows.ts'
import { matchingComputers } from '../match-computers.ts'
import { Computer, timeCriteria } from './schemas.ts'

export const listComputers = operation({
  id: 'listComputers',
  route: 'GET /api/computer',
  summary: 'List the computers',
  role: 'computer.read',
  query: closed({ ...paging, ...Type.Partial(closed(timeCriteria)).properties }),
  returns: ok(pagedResultOf(Computer)),
  async handle(call) {
    const { db, query } = call
    const { skip: _skip, top: _top, cursor: _cursor, ...criteria } = query
    return pageOf(call, computerRows(db), { columns: ['id'] }, await matchingComputers(db, criteria))
  },
})

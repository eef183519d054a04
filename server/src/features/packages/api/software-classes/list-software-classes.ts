import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { softwareClassRows } from '../../software-classes.ts'
import { SoftwareClass } from './schemas.ts'

export const listSoftwareClasses = operation({
  id: 'listSoftwareClasses',
  route: 'GET /api/softwareclasses',
  summary: 'List all software classes',
  role: 'package.read',
  query: closed(paging),
  returns: ok(pagedResultOf(SoftwareClass)),
  handle: (call) => pageOf(call, softwareClassRows(call.db), { columns: ['id'] }),
})

import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { licenceRows } from '../licence-rows.ts'
import { Licence } from './schemas.ts'

export const listLicences = operation({
  id: 'listLicences',
  route: 'GET /api/licences',
  summary: 'List licences by name',
  description: 'A report of the kind `Licences` compares them with the installed software.',
  role: 'computer.read',
  extension: true,
  query: closed(paging),
  returns: ok(pagedResultOf(Licence)),
  handle: (call) => pageOf(call, licenceRows(call.db), { columns: ['name', 'id'] }),
})

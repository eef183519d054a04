import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Id, pagedResultOf, Type } from '../../../platform/schema.ts'
import { packageRequestRows } from '../package-requests.ts'
import { PackageRequest, PackageRequestState } from './schemas.ts'

export const listPackageRequests = operation({
  id: 'listPackageRequests',
  route: 'GET /api/package-requests',
  summary: 'List the packages that users have asked for, newest first',
  description:
    'Users ask with `muster-agent request` or on the self-service page. Decided requests are listed for a year.',
  role: 'computer.read',
  query: closed({
    ...paging,
    state: Type.Optional(PackageRequestState),
    computerId: Type.Optional({ ...Id, description: 'Only the requests of this computer' }),
  }),
  returns: ok(pagedResultOf(PackageRequest)),
  extension: true,
  handle(call) {
    const { db, query } = call
    let rows = packageRequestRows(db)
    if (query.state !== undefined) rows = rows.where('request.state', '=', query.state)
    if (query.computerId !== undefined) rows = rows.where('request.computer_id', '=', query.computerId)
    const matching = db.selectFrom(rows.as('request')).selectAll()
    return pageOf(call, matching, { columns: ['requestedAtUtc', 'requestId'], descending: true })
  },
})

import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { enrolmentTokens } from '../queries.ts'
import { EnrolmentToken } from './schemas.ts'

export const listEnrolmentTokens = operation({
  id: 'listEnrolmentTokens',
  route: 'GET /api/enrolment-tokens',
  summary: 'List the enrolment tokens, also those that are of no use any more',
  role: 'computer.write',
  query: closed(paging),
  returns: ok(pagedResultOf(EnrolmentToken)),
  extension: true,
  handle: (call) => pageOf(call, enrolmentTokens(call.db), { columns: ['id'] }),
})

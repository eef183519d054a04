import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type } from '../../../platform/schema.ts'
import { enrolmentTokenRows } from '../enrolment-tokens.ts'
import { EnrolmentToken } from './schemas.ts'

export const listEnrolmentTokens = operation({
  id: 'listEnrolmentTokens',
  route: 'GET /api/enrolment-tokens',
  summary: 'List the enrolment tokens',
  description: 'Includes expired, revoked and used-up tokens. The tokens themselves are not shown.',
  role: 'admin.manage',
  query: closed({
    ...paging,
    descending: Type.Boolean({ default: false, examples: [true], description: 'Whether the newest token comes first' }),
  }),
  returns: ok(pagedResultOf(EnrolmentToken)),
  extension: true,
  async handle(call) {
    const page = await pageOf(call, enrolmentTokenRows(call.db), {
      columns: ['id'],
      descending: call.query.descending,
    })
    if (call.caller.principal.roles.has('group.read')) return page
    return { ...page, items: page.items.map((token) => ({ ...token, groupPath: null })) }
  },
})

import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { tagRows } from '../tags.ts'
import { Tag } from './schemas.ts'

export const listTags = operation({
  id: 'listTags',
  route: 'GET /api/tags',
  summary: 'List tags',
  role: 'package.read',
  query: closed(paging),
  returns: ok(pagedResultOf(Tag)),
  handle: (call) => pageOf(call, tagRows(call.db), { columns: ['id'] }),
})

import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Id, pagedResultOf } from '../../../platform/schema.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { Tag } from '../../tags/api/schemas.ts'
import { tagRows } from '../../tags/tags.ts'
import { notADepot, requireDepot } from '../depot-servers.ts'

export const listDepotTags = operation({
  id: 'listDepotTags',
  route: 'GET /api/depots/:clientId/tags',
  summary: 'List the tags of a depot',
  description: 'The tags decide which packages the depot gets while the depot topology setting is active.',
  role: 'package.read',
  params: closed({ clientId: Id }),
  query: closed(paging),
  returns: ok(pagedResultOf(Tag)),
  problems: [computerNotFound, notADepot],
  async handle(call) {
    await requireDepot(call.db, call.params.clientId)
    const assigned = tagRows(call.db)
      .innerJoin('depot_tags', 'depot_tags.tag_id', 'tags.id')
      .where('depot_tags.computer_id', '=', call.params.clientId)
    return pageOf(call, assigned, { columns: ['id'] })
  },
})

import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type } from '../../../platform/schema.ts'
import { Computer } from '../../computers/api/schemas.ts'
import { computerRows } from '../../computers/computer-rows.ts'
import { groupNotFound, requireGroup } from '../groups.ts'
import { GroupPath } from './schemas.ts'

export const listGroupComputers = operation({
  id: 'listGroupComputers',
  route: 'GET /api/group/:id/computers',
  summary: 'List the computers in a group',
  description:
    'Lists the direct members, ordered by id. With `includeDescendants`, members of descendant groups are included.',
  role: 'group.read',
  params: GroupPath,
  query: closed({
    ...paging,
    includeDescendants: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Also list the members of all groups below this one, each computer once.',
      }),
    ),
  }),
  returns: ok(pagedResultOf(Computer)),
  problems: [groupNotFound],
  async handle(call) {
    const { params, query, db } = call
    await requireGroup(db, params.id)
    const members = db.selectFrom('group_computers').select('computer_id as id')
    const matching = query.includeDescendants
      ? members
          .distinct()
          .where('group_id', 'in', (eb) =>
            eb.selectFrom('group_ancestors').select('descendant_id').where('ancestor_id', '=', params.id),
          )
      : members.where('group_id', '=', params.id)
    return pageOf(
      call,
      computerRows(db),
      { columns: ['id'] },
      { query: matching, once: query.includeDescendants === true },
    )
  },
})

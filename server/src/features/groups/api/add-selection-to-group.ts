import { ok, operation } from '../../../platform/operation.ts'
import { closed, Uuid } from '../../../platform/schema.ts'
import { maxSelection, notFoundCount, selectedIds, selectionCount } from '../../computers/selection-schemas.ts'
import { listedComputers } from '../affected-computers.ts'
import { groupNotFound, isComputerTree, isSpecial, pinGroup, specialGroup } from '../groups.ts'
import { insertMembers } from '../insert-members.ts'
import { notEditableTree } from './problems.ts'
import { GroupPath } from './schemas.ts'

const AddedComputers = closed(
  {
    groupId: Uuid,
    added: selectionCount('Computers that became members', 412),
    alreadyMembers: selectionCount('Computers that were members before', 0),
    inOtherConfigurationGroup: selectionCount(
      'Computers that were not added because they are in another configuration group',
      0,
    ),
    notFound: notFoundCount,
  },
  { title: 'AddedComputers' },
)

export const addSelectionToGroup = operation({
  id: 'addSelectionToGroup',
  route: 'POST /api/fleet/groups/:id/computers',
  summary: 'Add selected computers to a group',
  description:
    'Like addGroupComputers, for as many computers as a person selects in a list, with counts instead of a result for each.',
  role: 'group.write',
  execution: { kind: 'LongChange' },
  extension: true,
  massAction: { computers: ({ body }) => listedComputers(body.computerIds) },
  params: GroupPath,
  body: closed({ computerIds: selectedIds(maxSelection) }, { title: 'AddSelectionToGroupRequest' }),
  returns: ok(AddedComputers),
  problems: [groupNotFound, specialGroup, notEditableTree],
  async handle({ params, body, db }) {
    const group = await pinGroup(db, params.id)
    if (!isComputerTree(group.tree)) throw notEditableTree({ groupId: group.id })
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    const ids = [...new Set(body.computerIds)]
    const statuses = [...(await insertMembers(db, group, ids)).values()]
    const countOf = (wanted: string) => statuses.filter((status) => status === wanted).length
    return {
      groupId: group.id,
      added: countOf('Added'),
      alreadyMembers: countOf('AlreadyMember'),
      inOtherConfigurationGroup: countOf('AlreadyInConfigurationGroup'),
      notFound: ids.length - statuses.length,
    }
  },
})

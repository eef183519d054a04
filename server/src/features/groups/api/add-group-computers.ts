import { ok, operation } from '../../../platform/operation.ts'
import { listedComputers } from '../affected-computers.ts'
import { groupNotFound, isComputerTree, isSpecial, pinGroup } from '../groups.ts'
import { insertMembers } from '../insert-members.ts'
import { buildBulkResult, type MembershipStatus } from '../membership.ts'
import { BulkGroupComputersRequest, BulkGroupComputersResult, GroupPath } from './schemas.ts'

export const addGroupComputers = operation({
  id: 'addGroupComputers',
  route: 'POST /api/group/:id/computers',
  summary: 'Add computers to a group',
  description:
    'Each computer is handled on its own: a failure for one does not stop the others, and the request still answers 200. Check `results`. A computer is in at most one configuration group; one that is already in another is not moved.',
  role: 'group.write',
  massAction: { computers: ({ body }) => listedComputers(body.computerIds) },
  params: GroupPath,
  body: BulkGroupComputersRequest,
  returns: ok(BulkGroupComputersResult),
  problems: [groupNotFound],
  async handle({ params, body, db }) {
    const group = await pinGroup(db, params.id)
    const clientIds = [...new Set(body.computerIds)]
    const refusal = findRefusal(group)
    if (refusal) return buildBulkResult(group.id, clientIds, () => refusal)
    const statuses = await insertMembers(db, group, clientIds)
    return buildBulkResult(group.id, clientIds, (clientId) => statuses.get(clientId) ?? 'NotFound')
  },
})

type Target = { id: string; kind: string; tree: string; is_exclusive: boolean }

function findRefusal({ kind, tree }: Target): MembershipStatus | undefined {
  if (!isComputerTree(tree)) return 'NotEditableTree'
  return isSpecial(kind) ? 'SpecialGroup' : undefined
}

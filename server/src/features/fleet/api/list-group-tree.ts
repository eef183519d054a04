import { ok, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { listTreeGroups } from '../pages/group-tree.ts'
import { GroupSummary } from './page-schemas.ts'

const { id, name, assignedToTree, parentId, kind, members, computers } = GroupSummary.properties

export const listGroupTree = operation({
  id: 'listGroupTree',
  route: 'GET /api/fleet/group-tree',
  summary: 'Get both trees of groups with the number of their computers, in one answer',
  description:
    'All groups as in listFleetGroups, without their descriptions and paths. A group comes after its parent, and groups ' +
    'of one parent are ordered by name.',
  role: 'group.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  returns: ok(
    Type.Array(closed({ id, name, assignedToTree, parentId, kind, members, computers }, { title: 'TreeGroup' })),
  ),
  handle: ({ db }) => listTreeGroups(db),
})

import { ok, operation } from '../../../platform/operation.ts'
import { readConvergence } from '../../convergence/read-convergence.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupNotFound } from '../../groups/groups.ts'
import { readGroupRule } from '../../groups/rules/rule-rows.ts'
import {
  countDeployments,
  countHealthOfGroup,
  findGroupSummary,
  listAssignmentsOfGroup,
  listOptionSources,
  listSubgroups,
} from '../pages/group-page.ts'
import { GroupPage } from './page-schemas.ts'

export const getGroupPage = operation({
  id: 'getGroupPage',
  route: 'GET /api/fleet/groups/:id',
  summary: 'Get everything that the page of a group shows',
  description:
    'The group with the groups below it and everything that is effective for it: its own assignments and those that it ' +
    'inherits, each with the group that it comes from. Parts that need another role are null without it. Members are ' +
    'listed by listFleetComputers.',
  role: 'group.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  params: GroupPath,
  returns: ok(GroupPage),
  problems: [groupNotFound],
  async handle({ params: { id }, db, caller }) {
    const { roles } = caller.principal
    const group = await findGroupSummary(db, id)
    if (!group) throw groupNotFound({ groupId: id })
    const assignments = await listAssignmentsOfGroup(db, id)
    const packageIds = assignments.filter(({ type }) => type === 'Package').map(({ objectId }) => objectId)
    const counts = roles.has('package.read') ? await countDeployments(db, id, packageIds) : undefined
    return {
      ...group,
      rule: await readGroupRule(db, id),
      convergence: await readConvergence(db, id),
      subgroups: await listSubgroups(db, id),
      optionSources: await listOptionSources(db, id, assignments),
      assignments: assignments.map((one) => ({ ...one, status: counts?.get(one.objectId) ?? null })),
      health: roles.has('computer.read') ? await countHealthOfGroup(db, id) : null,
    }
  },
})

import { ok, operation } from '../../../platform/operation.ts'
import { groupNotFound, requireGroup } from '../groups.ts'
import { readGroupRule } from '../rules/rule-rows.ts'
import { GroupRule } from './rule-schemas.ts'
import { GroupPath } from './schemas.ts'

export const getGroupRule = operation({
  id: 'getGroupRule',
  route: 'GET /api/group/:id/rule',
  summary: 'Get the rule by which computers become members of a group',
  description: 'A group without a rule has the state None.',
  extension: true,
  role: 'group.read',
  params: GroupPath,
  unversioned: ['membersByRule', 'excludedComputers', 'restlessComputers', 'warning'],
  returns: ok(GroupRule),
  problems: [groupNotFound],
  async handle({ params, db }) {
    await requireGroup(db, params.id)
    return readGroupRule(db, params.id)
  },
})

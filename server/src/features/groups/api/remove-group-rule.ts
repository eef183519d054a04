import { sql } from 'kysely'
import { noContent, operation } from '../../../platform/operation.ts'
import { affectsGroup } from '../affected-computers.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../groups.ts'
import { getGroupRule } from './get-group-rule.ts'
import { GroupPath } from './schemas.ts'

export const removeGroupRule = operation({
  id: 'removeGroupRule',
  route: 'DELETE /api/group/:id/rule',
  summary: 'Remove the rule of a group',
  description: 'The members stay, as if people had added them. Succeeds if the group has no rule.',
  extension: true,
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPath,
  returns: noContent,
  problems: [groupNotFound, specialGroup],
  changes: getGroupRule,
  async handle({ params: { id: groupId }, db }) {
    const group = await pinGroup(db, groupId)
    if (isSpecial(group.kind)) throw specialGroup({ groupId })
    await sql`delete from group_rules where group_id = ${groupId}`.execute(db)
    await sql`
      with member as materialized (
        select computer_id from group_computers where group_id = ${groupId} and is_by_rule order by computer_id for update
      )
      update group_computers set is_by_rule = false from member
      where group_id = ${groupId} and group_computers.computer_id = member.computer_id`.execute(db)
    await sql`delete from group_rule_exclusions where group_id = ${groupId}`.execute(db)
  },
})

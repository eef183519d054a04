import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../../groups/groups.ts'
import { variableConfigurationNotFound } from './problems.ts'
import { AssignVariableConfigurationRequest, GroupVariableConfigurationAssignment } from './schemas.ts'

export const assignGroupVariableConfiguration = operation({
  id: 'assignGroupVariableConfiguration',
  route: 'POST /api/group/:id/variable-configurations',
  summary: 'Assign a variable configuration to a group',
  description:
    'Answers 201 if the assignment is new and 200 if it already exists. Answers 409 for a Reinstall, EOL or Restore group.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPath,
  body: AssignVariableConfigurationRequest,
  returns: { ...created(GroupVariableConfigurationAssignment), ...ok(GroupVariableConfigurationAssignment) },
  problems: [groupNotFound, variableConfigurationNotFound, specialGroup],
  async handle({ params: { id: groupId }, body: { configId }, db }) {
    const group = await pinGroup(db, groupId)
    const configuration = await db
      .selectFrom('variable_configurations')
      .select('id')
      .where('id', '=', configId)
      .forKeyShare()
      .executeTakeFirst()
    if (!configuration) throw variableConfigurationNotFound({ configId })
    if (isSpecial(group.kind)) throw specialGroup({ groupId })
    const assigned = await db
      .insertInto('group_variable_configurations')
      .values({ group_id: groupId, configuration_id: configId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('configuration_id')
      .executeTakeFirst()
    return new Answer(assigned ? 201 : 200, { groupId, configId, alreadyAssigned: !assigned })
  },
})

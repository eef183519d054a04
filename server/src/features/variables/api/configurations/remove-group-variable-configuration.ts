import { noContent, operation } from '../../../../platform/operation.ts'
import { closed, Id } from '../../../../platform/schema.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { variableConfigurationNotAssigned } from './problems.ts'

export const removeGroupVariableConfiguration = operation({
  id: 'removeGroupVariableConfiguration',
  route: 'DELETE /api/group/:id/variable-configurations/:configId',
  summary: 'Remove a variable configuration from a group',
  role: 'group.write',
  massAction: affectsGroup,
  params: closed({ ...GroupPath.properties, configId: Id }),
  returns: noContent,
  problems: [groupNotFound, variableConfigurationNotAssigned],
  async handle({ params: { id: groupId, configId }, db }) {
    await requireGroup(db, groupId)
    const removed = await db
      .deleteFrom('group_variable_configurations')
      .where('group_id', '=', groupId)
      .where('configuration_id', '=', configId)
      .returning('configuration_id')
      .executeTakeFirst()
    if (!removed) throw variableConfigurationNotAssigned({ groupId, configId })
  },
})

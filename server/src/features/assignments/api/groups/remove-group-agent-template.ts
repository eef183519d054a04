import { noContent, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassignFromGroup } from '../../assign-to-group.ts'
import { noAgentTemplateAssigned } from '../../problems.ts'
import { getGroupAgentTemplate } from './get-group-agent-template.ts'
import { agentTemplateNotAssigned } from './problems.ts'
import { GroupPackagePath } from './schemas.ts'

export const removeGroupAgentTemplate = operation({
  id: 'removeGroupAgentTemplate',
  route: 'DELETE /api/group/:id/agent-template/:packageId',
  summary: 'Remove the agent template from a group',
  description: 'Removes the direct assignment only: what the group inherits from its ancestors stays effective.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPackagePath,
  returns: noContent,
  problems: [groupNotFound, agentTemplateNotAssigned, noAgentTemplateAssigned],
  changes: getGroupAgentTemplate,
  async handle({ params: { id: groupId, packageId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassignFromGroup(db, 'agentTemplate', groupId, packageId)))
      throw agentTemplateNotAssigned({ groupId, packageId })
  },
})

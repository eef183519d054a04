import { noContent, operation } from '../../../../platform/operation.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { unassign } from '../../assignments.ts'
import { noAgentTemplateAssigned } from '../../problems.ts'
import { getGroupAgentTemplate } from './get-group-agent-template.ts'
import { agentTemplateNotAssigned } from './problems.ts'
import { GroupPackagePath } from './schemas.ts'

export const removeGroupAgentTemplate = operation({
  id: 'removeGroupAgentTemplate',
  route: 'DELETE /api/group/:id/agent-template/:packageId',
  summary: 'Take its agent template from a group',
  role: 'group.write',
  params: GroupPackagePath,
  returns: noContent,
  problems: [groupNotFound, agentTemplateNotAssigned, noAgentTemplateAssigned],
  changes: getGroupAgentTemplate,
  async handle({ params: { id: groupId, packageId }, db }) {
    await requireGroup(db, groupId)
    if (!(await unassign(db, 'agentTemplate', groupId, packageId)))
      throw agentTemplateNotAssigned({ groupId, packageId })
  },
})

import { agentTemplateRows } from '../../../domain/assignments/objects.ts'
import { noAgentTemplateAssigned } from '../../../domain/assignments/problems.ts'
import { groupNotFound, requireGroup } from '../../../domain/groups.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { AgentTemplate } from '../../agent-templates/schemas.ts'
import { GroupPath } from '../schemas.ts'

export const getGroupAgentTemplate = operation({
  id: 'getGroupAgentTemplate',
  route: 'GET /api/group/:id/agent-template',
  summary: 'Read the agent template that is assigned to a group directly',
  role: 'group.read',
  params: GroupPath,
  returns: ok(AgentTemplate),
  problems: [groupNotFound, noAgentTemplateAssigned],
  async handle({ params: { id: groupId }, db }) {
    await requireGroup(db, groupId)
    const template = await agentTemplateRows(db)
      .innerJoin('group_agent_templates as assigned', 'assigned.package_id', 'packages.id')
      .where('assigned.group_id', '=', groupId)
      .executeTakeFirst()
    if (!template) throw noAgentTemplateAssigned({ groupId })
    return template
  },
})

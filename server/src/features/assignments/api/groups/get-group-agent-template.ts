import { ok, operation } from '../../../../platform/operation.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { agentTemplateRows } from '../../../packages/agent-templates.ts'
import { AgentTemplate } from '../../../packages/api/agent-templates/schemas.ts'
import { noAgentTemplateAssigned } from '../../problems.ts'

export const getGroupAgentTemplate = operation({
  id: 'getGroupAgentTemplate',
  route: 'GET /api/group/:id/agent-template',
  summary: 'Get the agent template that is assigned to a group directly',
  description: 'Considers the direct assignment only, not what the group inherits. Answers 404 if there is none.',
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

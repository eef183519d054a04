import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { Group } from '../../../groups/api/schemas.ts'
import { getAgentTemplateById } from '../../../packages/agent-templates.ts'
import { AgentTemplatePath } from '../../../packages/api/agent-templates/schemas.ts'
import { agentTemplateNotFound } from '../../../packages/problems.ts'
import { directlyAssignedGroups } from '../../directly-assigned-groups.ts'

export const listAgentTemplateGroups = operation({
  id: 'listAgentTemplateGroups',
  route: 'GET /api/agent-templates/:id/groups',
  summary: 'List the groups to which an agent template is assigned directly',
  description: 'Lists direct assignments only: a group that inherits it from an ancestor is not listed.',
  role: 'package.read',
  params: AgentTemplatePath,
  query: closed(paging),
  returns: ok(pagedResultOf(Group)),
  problems: [agentTemplateNotFound],
  async handle(call) {
    const { params, db } = call
    await getAgentTemplateById(db, params.id)
    return pageOf(call, directlyAssignedGroups(db, 'agentTemplate', params.id), { columns: ['id'] })
  },
})

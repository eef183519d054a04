import { ok, operation } from '../../../../platform/operation.ts'
import { getAgentTemplateById } from '../../agent-templates.ts'
import { agentTemplateNotFound } from '../../problems.ts'
import { AgentTemplate, AgentTemplatePath } from './schemas.ts'

export const getAgentTemplate = operation({
  id: 'getAgentTemplate',
  route: 'GET /api/agent-templates/:id',
  summary: 'Get an agent template',
  role: 'package.read',
  params: AgentTemplatePath,
  returns: ok(AgentTemplate),
  problems: [agentTemplateNotFound],
  handle: ({ params, db }) => getAgentTemplateById(db, params.id),
})

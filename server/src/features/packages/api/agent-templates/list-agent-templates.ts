import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { agentTemplateRows } from '../../agent-templates.ts'
import { AgentTemplate } from './schemas.ts'

export const listAgentTemplates = operation({
  id: 'listAgentTemplates',
  route: 'GET /api/agent-templates',
  summary: 'List all agent templates',
  role: 'package.read',
  query: closed(paging),
  returns: ok(pagedResultOf(AgentTemplate)),
  handle: (call) => pageOf(call, agentTemplateRows(call.db), { columns: ['id'] }),
})

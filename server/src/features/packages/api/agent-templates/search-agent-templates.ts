import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { agentTemplateRows } from '../../agent-templates.ts'
import { AgentTemplate, AgentTemplateSearchFilter } from './schemas.ts'

export const searchAgentTemplates = operation({
  id: 'searchAgentTemplates',
  route: 'POST /api/agent-templates/search',
  summary: 'Search agent templates',
  description: 'All criteria must match. Without criteria, all agent templates are found.',
  role: 'package.read',
  execution: { kind: 'Read' },
  query: closed(paging),
  body: AgentTemplateSearchFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(AgentTemplate)),
  handle(call) {
    const { name, version, description } = call.body ?? {}
    let templates = agentTemplateRows(call.db)
    if (name) templates = templates.where('packages.name', 'ilike', containing(name))
    if (version) templates = templates.where('packages.version', 'ilike', containing(version))
    if (description) templates = templates.where('packages.description', 'ilike', containing(description))
    return pageOf(call, templates, { columns: ['id'] })
  },
})

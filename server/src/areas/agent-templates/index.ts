import type { Area } from '../../platform/operation.ts'
import { getAgentTemplate } from './get-agent-template.ts'
import { listAgentTemplateGroups } from './list-agent-template-groups.ts'
import { listAgentTemplates } from './list-agent-templates.ts'
import { searchAgentTemplates } from './search-agent-templates.ts'

export const agentTemplates: Area = {
  name: 'Agent Templates',
  description: 'Settings for the agents of computers.',
  operations: [listAgentTemplates, searchAgentTemplates, getAgentTemplate, listAgentTemplateGroups],
}

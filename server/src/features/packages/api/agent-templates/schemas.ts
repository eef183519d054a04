import { closed, Type, Uuid } from '../../../../platform/schema.ts'
import { packageProperties } from '../schemas.ts'
import { containedText, searchFilter } from '../search-filter.ts'

export const AgentTemplatePath = closed({ id: Uuid })

const Settings = Type.Unsafe<Record<string, string | number | boolean>>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
  description: 'Settings of the agent, by name',
  examples: [{ contactIntervalMinutes: 60 }],
})

export const AgentTemplate = closed(
  {
    id: { ...Uuid, description: 'Id of the package' },
    ...packageProperties,
    name: Type.String({ examples: ['Agent of the branches'], description: 'Display name of the package' }),
    settings: Settings,
  },
  { title: 'AgentTemplate' },
)

export const AgentTemplateSearchFilter = searchFilter('AgentTemplateSearchFilter', {
  name: containedText('branch'),
  version: containedText('1.2'),
  description: containedText('workstations'),
})

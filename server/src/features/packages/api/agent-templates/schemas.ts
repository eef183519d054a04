import { closed, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'
import { packageProperties } from '../operating-systems/schemas.ts'

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
    name: Type.String({ examples: ['Agent of the branches'], description: 'Name of the package, for people' }),
    settings: Settings,
  },
  { title: 'AgentTemplate' },
)

const contained = (example: string, description?: string) => Type.Optional(nullable(text(255, example, description)))

export const AgentTemplateSearchFilter = closed(
  { name: contained('branch'), version: contained('1.2'), description: contained('workstations') },
  {
    title: 'AgentTemplateSearchFilter',
    description: 'Criteria that must all hold; null and an empty text are none. Each is a part of the value.',
  },
)

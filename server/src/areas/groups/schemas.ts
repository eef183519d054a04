import { closed, enumOf, nullable, Type, text, Uuid } from '../../platform/schema.ts'

export const GroupPath = closed({ id: Uuid })

export const groupTypes = ['ConfigurationGroups', 'AssignmentGroups'] as const

export const GroupType = enumOf(groupTypes, { title: 'GroupType' })

export const Group = closed(
  {
    id: Uuid,
    name: Type.String({ examples: ['Workstations'] }),
    assignedToTree: Type.String({ examples: ['ConfigurationGroups'] }),
    parentId: nullable(Uuid),
    description: nullable(text(1000, 'Desks on the second floor')),
  },
  { title: 'Group' },
)

import { closed, enumOf, Id, Int32, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'

export const variableKinds = ['Category', 'Scalar', 'Collection', 'UserDefined'] as const

export const VariablePath = closed({ varId: Id })

const designation = Type.String({ examples: ['ProxyServer'], description: 'Name below its parent' })
const dottedName = Type.String({ examples: ['Network.ProxyServer'], description: 'Name with that of its parent' })
const isSecret = Type.Boolean({ examples: [false], description: 'The value can be written and never read' })
const valueText = text(65_536, 'proxy.example.org:8080')
const schedule = text(255, 'daily 22:00', 'When the value is to be applied')

export const VariableDefinition = closed(
  {
    varId: Id,
    parentId: nullable(Id),
    designation,
    dottedName,
    kind: enumOf(variableKinds, {
      title: 'VariableKind',
      description:
        'A Category gathers variables, a Scalar has a value, a Collection has entries with a value for each child; a UserDefined variable cannot be set over the API.',
    }),
    description: nullable(text(1000, 'Proxy for all downloads')),
    defaultValue: nullable(Type.String({ examples: ['proxy.example.org:3128'] })),
    isSecret,
    isSystem: Type.Boolean({ examples: [false], description: 'Part of every installation' }),
  },
  { title: 'VariableDefinition' },
)

export const VariableDefinitionSearchFilter = closed(
  {
    name: Type.Optional(nullable(text(1000, 'Network.ProxyServer', 'Designation or dotted name, in full'))),
    nameContains: Type.Optional(nullable(text(1000, 'proxy', 'Part of the dotted name'))),
    kind: Type.Optional(nullable(text(255, 'Scalar', `One of ${variableKinds.join(', ')}`))),
  },
  { title: 'VariableDefinitionSearchFilter' },
)

const shownValue = nullable(
  Type.String({
    examples: ['proxy.example.org:8080'],
    description: 'Null where there is no value, and always where the variable is secret',
  }),
)

export const VariableValue = closed(
  { varId: Id, designation, dottedName, value: shownValue, schedule: nullable(schedule), isSecret },
  { title: 'VariableValue' },
)

const forced = Type.Boolean({
  examples: [false],
  description: 'Holds for everything below the group, whatever is set there',
})

export const GroupVariableValue = closed({ ...VariableValue.properties, forced }, { title: 'GroupVariableValue' })

const origin = {
  source: nullable(
    enumOf(['forced', 'computer', 'group', 'configuration', 'package', 'default'], {
      title: 'VariableValueSource',
      description: 'Where the value comes from',
    }),
  ),
  sourceGroupId: nullable({
    ...Uuid,
    description: 'The group that holds the value, or to which its configuration or package is assigned',
  }),
}

export const FoundVariableValue = closed({ ...VariableValue.properties, ...origin }, { title: 'FoundVariableValue' })

export const FoundGroupVariableValue = closed(
  { ...GroupVariableValue.properties, ...origin },
  { title: 'FoundGroupVariableValue' },
)

export const VariableValueSearchFilter = closed(
  {
    name: Type.Optional(
      nullable(text(1000, 'Network.ProxyServer', 'Designation or dotted name, in full; not together with varId')),
    ),
    varId: Type.Optional(nullable({ ...Int32, examples: [null], description: 'Not together with name' })),
    includeInherited: Type.Optional(
      Type.Boolean({ default: false, examples: [true], description: 'The values that hold, not only the own ones' }),
    ),
  },
  { title: 'VariableValueSearchFilter' },
)

const newValue = {
  value: Type.Optional(
    nullable({ ...valueText, description: 'Null or left out deletes the value; an empty text is a value.' }),
  ),
  schedule: Type.Optional(nullable({ ...schedule, description: 'Left out, it is kept; null clears it.' })),
}

export const SetVariableValueRequest = closed(newValue, { title: 'SetVariableValueRequest' })

export const SetGroupVariableValueRequest = closed(
  {
    ...newValue,
    forced: Type.Optional({ ...forced, description: `${forced.description}. Left out, it is kept.` }),
  },
  { title: 'SetGroupVariableValueRequest' },
)

export const VariableCollectionEntry = closed(
  {
    collectionId: Id,
    values: Type.Array(VariableValue, { description: 'One for each child of the collection, ordered by varId' }),
  },
  { title: 'VariableCollectionEntry' },
)

const childValues = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: valueText,
    maxProperties: 1000,
    examples: [{ Host: 'printer-2.example.org', Port: '9100' }],
    description,
  })

export const VariableCollectionEntryRequest = closed(
  { values: childValues('Child designation to value. Only children with a default may be left out.') },
  { title: 'VariableCollectionEntryRequest' },
)

export const VariableCollectionEntryPatchRequest = closed(
  { values: childValues('Child designation to value. Children that are left out keep theirs.') },
  { title: 'VariableCollectionEntryPatchRequest' },
)

const explicitValue = {
  value: shownValue,
  schedule: nullable(schedule),
  isSecret,
  collectionId: nullable({
    ...Id,
    examples: [null],
    description: 'Entry, where the variable is a collection or a child',
  }),
}

export const VariableComputer = closed(
  {
    id: Id,
    hostname: Type.String({ examples: ['pc-0017'] }),
    domain: nullable(text(255, 'corp.example.org')),
    ...explicitValue,
  },
  { title: 'VariableComputer' },
)

export const VariableGroup = closed(
  {
    id: Uuid,
    name: Type.String({ examples: ['Workstations'] }),
    assignedToTree: Type.String({ examples: ['ConfigurationGroups'] }),
    ...explicitValue,
    forced,
  },
  { title: 'VariableGroup' },
)

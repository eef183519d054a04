import { closed, enumOf, extensionKeyword, Id, Int32, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'
import { groupPath } from '../../../groups/group-path.ts'
import { ReportedPropertiesWarning } from '../../../groups/rules/rule-warning.ts'
import { maxCountedUses } from '../../count-variable-uses.ts'
import { variableUses } from '../../packages-with-variable.ts'

export const variableKinds = ['Category', 'Scalar', 'Collection', 'UserDefined'] as const

export const VariablePath = closed({ varId: Id })

const designation = Type.String({
  examples: ['ProxyServer'],
  description: 'Name, unique among the children of its parent',
})
const dottedName = Type.String({
  examples: ['Network.ProxyServer'],
  description: 'Full name: the names of its ancestors and its own, separated by dots',
})
const isSecret = Type.Boolean({ examples: [false], description: 'True if the value can be written but never read' })
const valueText = text(65_536, 'proxy.example.org:8080')
const schedule = text(
  255,
  '2026-03-01T22:00:00Z',
  'When the value takes effect: an ISO 8601 date or date-time, UTC without an offset. Without a schedule, it takes effect at once.',
)

export const VariableDefinition = closed(
  {
    varId: Id,
    parentId: nullable(Id),
    designation,
    dottedName,
    kind: enumOf(variableKinds, {
      title: 'VariableKind',
      description:
        'A Category groups variables. A Scalar has a value. A Collection has entries, each with one value per child. A UserDefined variable cannot be set over the API.',
    }),
    description: nullable(text(1000, 'Proxy for all downloads')),
    defaultValue: nullable(Type.String({ examples: ['proxy.example.org:3128'] })),
    isSecret,
    isSystem: Type.Boolean({ examples: [false], description: 'True if the variable is part of every installation' }),
  },
  { title: 'VariableDefinition' },
)

export const VariableDefinitionSearchFilter = closed(
  {
    name: Type.Optional(
      nullable(text(1000, 'Network.ProxyServer', 'The complete designation or dotted name, regardless of case')),
    ),
    nameContains: Type.Optional(nullable(text(1000, 'proxy', 'A part of the dotted name, regardless of case'))),
    kind: Type.Optional(nullable(text(255, 'Scalar', `One of ${variableKinds.join(', ')}`))),
  },
  { title: 'VariableDefinitionSearchFilter' },
)

const visibleValue = nullable(
  Type.String({
    examples: ['proxy.example.org:8080'],
    description: 'Null if there is no value, and always null if the variable is secret',
  }),
)

export const VariableValue = closed(
  { varId: Id, designation, dottedName, value: visibleValue, schedule: nullable(schedule), isSecret },
  { title: 'VariableValue' },
)

const forced = Type.Boolean({
  examples: [false],
  description: 'True if the value overrides every value set below the group',
})

export const GroupVariableValue = closed({ ...VariableValue.properties, forced }, { title: 'GroupVariableValue' })

export const OwnGroupVariableValue = closed(
  { ...GroupVariableValue.properties, warning: ReportedPropertiesWarning },
  { title: 'OwnGroupVariableValue' },
)

const origin = {
  source: nullable(
    enumOf(['forced', 'computer', 'group', 'configuration', 'package', 'default'], {
      title: 'VariableValueSource',
      description: 'Where the value comes from; null if there is none',
    }),
  ),
  sourceGroupId: nullable({
    ...Uuid,
    description: 'The group that has the value, or that its configuration or package is assigned to',
  }),
  sourceGroupPath: {
    ...nullable(groupPath('Names of that group and of its ancestors')),
    [extensionKeyword]: true,
  },
}

export const FoundVariableValue = closed({ ...VariableValue.properties, ...origin }, { title: 'FoundVariableValue' })

export const FoundGroupVariableValue = closed(
  { ...GroupVariableValue.properties, ...origin },
  { title: 'FoundGroupVariableValue' },
)

export const VariableValueSearchFilter = closed(
  {
    name: Type.Optional(
      nullable(
        text(
          1000,
          'Network.ProxyServer',
          'The complete designation or dotted name, regardless of case. Cannot be combined with varId',
        ),
      ),
    ),
    varId: Type.Optional(nullable({ ...Int32, examples: [null], description: 'Cannot be combined with name' })),
    includeInherited: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [true],
        description: 'If true, return effective values instead of only those set on the computer or group itself',
      }),
    ),
  },
  { title: 'VariableValueSearchFilter' },
)

const newValue = {
  value: Type.Optional(
    nullable({ ...valueText, description: 'If null or missing, the value is deleted. An empty text is a value.' }),
  ),
  schedule: Type.Optional(
    nullable({ ...schedule, description: `${schedule.description} If missing, the schedule is kept; null clears it.` }),
  ),
}

export const SetVariableValueRequest = closed(newValue, { title: 'SetVariableValueRequest' })

export const SetGroupVariableValueRequest = closed(
  {
    ...newValue,
    forced: Type.Optional({ ...forced, description: `${forced.description}. If missing, the flag is kept.` }),
  },
  { title: 'SetGroupVariableValueRequest' },
)

export const VariableCollectionEntry = closed(
  {
    collectionId: Id,
    values: Type.Array(VariableValue, { description: 'One value per child of the collection, ordered by varId' }),
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
  { values: childValues('Values by the designation of the child. Only children with a default may be missing.') },
  { title: 'VariableCollectionEntryRequest' },
)

export const VariableCollectionEntryPatchRequest = closed(
  { values: childValues('Values by the designation of the child. Children that are missing keep their values.') },
  { title: 'VariableCollectionEntryPatchRequest' },
)

const explicitValue = {
  value: visibleValue,
  schedule: nullable(schedule),
  isSecret,
  collectionId: nullable({
    ...Id,
    examples: [null],
    description: 'Id of the entry if the variable is a collection or a child of one, otherwise null',
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
    path: { ...groupPath('Names of the group and of its ancestors'), [extensionKeyword]: true },
    assignedToTree: Type.String({ examples: ['ConfigurationGroups'] }),
    ...explicitValue,
    forced,
  },
  { title: 'VariableGroup' },
)

const uses = (description: string) => ({
  ...Int32,
  minimum: 0,
  maximum: maxCountedUses,
  examples: [2],
  description: `${description}. Not counted beyond ${maxCountedUses}`,
})

export const FleetVariable = closed(
  {
    ...VariableDefinition.properties,
    uses: closed(
      {
        computers: uses('Values that computers have themselves; of a collection, their entries'),
        groups: uses('Values that groups have; of a collection, their entries'),
        configurations: uses('Variable configurations that set it'),
        packages: uses('Packages that use it, of all kinds'),
      },
      { title: 'VariableUses' },
    ),
  },
  { title: 'FleetVariable' },
)

export const VariablePackage = closed(
  {
    id: Uuid,
    name: Type.String({ examples: ['Greeting'] }),
    version: nullable(Type.String({ examples: ['1.2.0'] })),
    kind: Type.String({ examples: ['Software'], description: 'As in getPackage' }),
    use: enumOf(variableUses, {
      title: 'VariableUse',
      description:
        'Default: it gives the variable a value. Condition: it is only for computers with certain values. Secret: its commands ' +
        'get the secret. Command: its commands or properties mention the value',
    }),
    value: nullable(Type.String({ examples: ['print01'], description: 'The default value; null for other uses' })),
  },
  { title: 'VariablePackage' },
)

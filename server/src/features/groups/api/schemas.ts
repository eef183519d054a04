import { closed, enumOf, Int32, nameText, nullable, patchOf, Type, text, Uuid } from '../../../platform/schema.ts'

export const GroupPath = closed({ id: Uuid })

export const groupTypes = ['ConfigurationGroups', 'AssignmentGroups'] as const

export const GroupType = enumOf(groupTypes, { title: 'GroupType' })

/** The tree that each value of the filter selects. Older clients send the short names. */
export const treeOfFilter = {
  ConfigurationGroups: 'ConfigurationGroups',
  AssignmentGroups: 'AssignmentGroups',
  Configuration: 'ConfigurationGroups',
  Assignment: 'AssignmentGroups',
} as const

export const GroupTypeFilter = enumOf([...groupTypes, 'Configuration', 'Assignment'], { title: 'GroupTypeFilter' })

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

const GroupName = {
  ...nameText(
    255,
    'Workstations',
    'Must not be blank or contain / or \\. Unique among the children of a parent, regardless of case',
  ),
  pattern: '^[^/\\\\]*$',
}

const Description = text(1000, 'Desks on the second floor')

export const CreateGroupRequest = closed(
  {
    name: GroupName,
    type: GroupType,
    parentId: Uuid,
    description: Type.Optional(nullable(Description)),
  },
  { title: 'CreateGroupRequest' },
)

export const GroupPatchRequest = patchOf(
  { name: GroupName, description: { ...Description, description: 'An empty text clears the description' } },
  { title: 'GroupPatchRequest' },
)

export const groupKinds = ['System', 'Ordinary', 'Reinstall', 'EOL', 'Restore'] as const

export const GroupKind = closed(
  { groupId: Uuid, kind: enumOf(groupKinds, { title: 'GroupKindName' }) },
  { title: 'GroupKind' },
)

export const GroupKindRequest = closed(
  { kind: { ...enumOf(['Ordinary', 'EOL', 'Restore'], { title: 'SettableGroupKind' }), examples: ['EOL'] } },
  { title: 'GroupKindRequest' },
)

export const ComputerIds = Type.Array(Int32, {
  minItems: 1,
  maxItems: 500,
  description: '1 to 500 computer ids. Duplicates count towards the limit but are processed once',
  examples: [[17, 42]],
})

export const BulkGroupComputersRequest = closed({ computerIds: ComputerIds }, { title: 'BulkGroupComputersRequest' })

export const membershipStatuses = [
  'Added',
  'AlreadyMember',
  'AlreadyInConfigurationGroup',
  'NotFound',
  'SpecialGroup',
  'NotEditableTree',
  'Removed',
  'NotMember',
] as const

const BulkGroupComputerResult = closed(
  {
    clientId: Int32,
    success: Type.Boolean({ examples: [true], description: 'True if the membership is now as requested' }),
    status: enumOf(membershipStatuses, { title: 'GroupMembershipStatus' }),
    message: Type.String({ examples: ['The computer was added to the group.'] }),
  },
  { title: 'BulkGroupComputerResult' },
)

const count = (description: string, example: number) =>
  Type.Integer({ format: 'int32', minimum: 0, description, examples: [example] })

export const BulkGroupComputersResult = closed(
  {
    groupId: Uuid,
    succeeded: count('Number of computers with success true', 1),
    failed: count('Number of computers with success false', 0),
    results: Type.Array(BulkGroupComputerResult, {
      description: 'One result per computer, in the order of the request',
    }),
  },
  { title: 'BulkGroupComputersResult' },
)

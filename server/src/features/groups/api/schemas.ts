import { closed, enumOf, Int32, nullable, patchOf, Type, text, Uuid } from '../../../platform/schema.ts'

export const GroupPath = closed({ id: Uuid })

export const groupTypes = ['ConfigurationGroups', 'AssignmentGroups'] as const

export const GroupType = enumOf(groupTypes, { title: 'GroupType' })

/** The tree that each value of the list filter means; older clients send the short names. */
export const filteredTree = {
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

const GroupName = Type.String({
  maxLength: 255,
  // Not only blanks, of which the database knows one more than regular expressions do.
  pattern: '^[^/\\\\]*[^/\\\\\\s\\u0085][^/\\\\]*$',
  description: 'Neither empty nor blank, without / and \\, unique below its parent whatever the case',
  examples: ['Workstations'],
})

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
  { name: GroupName, description: { ...Description, description: 'Empty to clear it' } },
  { title: 'GroupPatchRequest' },
)

export const ComputerIds = Type.Array(Int32, {
  minItems: 1,
  maxItems: 500,
  description: '1 to 500 client ids, repeated ones counted; each is taken once',
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
    success: Type.Boolean({ examples: [true], description: 'What was asked for holds now' }),
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
    succeeded: count('Computers for which holds now what was asked for', 1),
    failed: count('Computers for which it does not', 0),
    results: Type.Array(BulkGroupComputerResult, { description: 'One for each computer, in the order of the request' }),
  },
  { title: 'BulkGroupComputersResult' },
)

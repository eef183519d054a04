import {
  closed,
  enumOf,
  Id,
  Instant,
  Int32,
  nullable,
  pagedResultOf,
  patchOf,
  Type,
  text,
  Uuid,
} from '../../../../platform/schema.ts'
import { ComputerIds } from '../../../groups/api/schemas.ts'
import { PatchSearchFilter, patchProperties } from '../../../patches/api/schemas.ts'
import { emergencyStatuses } from '../../emergencies.ts'
import { pmGroupCategories } from '../../pm-groups.ts'

export const PmGroupPath = closed({ id: Id })

export const PmGroupCategory = enumOf(pmGroupCategories, { title: 'PmGroupCategory' })

const count = (description: string) => Type.Integer({ minimum: 0, format: 'int32', examples: [1], description })

export const PmGroup = closed(
  {
    id: Id,
    name: Type.String({ examples: ['Servers, critical'] }),
    category: PmGroupCategory,
    description: nullable(text(1_000, 'What servers get on the first Sunday')),
    patchCount: count('Patches, each counted once for every product'),
    assignmentCount: count('Groups to which it is assigned'),
  },
  { title: 'PmGroup' },
)

const Name = Type.String({
  maxLength: 255,
  pattern: '[^\\s\\u0085]',
  description: 'Neither empty nor blank, unique whatever the case',
  examples: ['Servers, critical'],
})

const Description = text(1_000, 'What servers get on the first Sunday')

export const CreatePmGroupRequest = closed(
  {
    name: Name,
    category: Type.Optional(enumOf(pmGroupCategories, { description: 'Patch, if it is left out' })),
    description: Type.Optional(nullable(Description)),
  },
  { title: 'CreatePmGroupRequest' },
)

export const PmGroupPatchRequest = patchOf(
  { name: Name, description: { ...Description, description: 'Empty to clear it' } },
  { title: 'PmGroupPatchRequest' },
)

export const PmGroupSearchFilter = closed(
  {
    name: Type.Optional(nullable(text(255, 'Servers', 'Part of the name'))),
    description: Type.Optional(nullable(text(255, 'Sunday', 'Part of the description'))),
    category: Type.Optional(nullable(enumOf(pmGroupCategories))),
    patchId: Type.Optional(nullable({ ...Int32, description: 'Groups that have this patch' })),
    treeId: Type.Optional(nullable({ ...Uuid, description: 'Groups that are assigned to this group itself' })),
  },
  { title: 'PmGroupSearchFilter' },
)

export const PmGroupPatch = closed(
  {
    ...patchProperties,
    productId: Id,
    productName: Type.String({ examples: ['Debian GNU/Linux 12'] }),
    linkItems: count('Files or packages that the patch has for this product'),
    isApproved: Type.Boolean({ examples: [true], description: 'Whether it is approved for this product' }),
    isServicePack: Type.Boolean({ examples: [false] }),
  },
  { title: 'PmGroupPatch' },
)

export const PmGroupPatchFilter = closed(PatchSearchFilter.properties, { title: 'PmGroupPatchFilter' })

const PatchIds = Type.Array(Int32, { minItems: 1, maxItems: 500, examples: [[17]], description: 'Up to 500 patches' })

export const AddPmGroupPatchesRequest = closed(
  {
    patchIds: Type.Optional(PatchIds),
    patchId: Type.Optional({ ...Int32, examples: [17], description: 'Instead of patchIds, where it is one' }),
    productId: Type.Optional({
      ...Int32,
      examples: [3],
      description: 'Required: the product version for which the group gets the patches',
    }),
  },
  { title: 'AddPmGroupPatchesRequest' },
)

export const PmGroupPatchesAdded = closed(
  {
    pmGroupId: Id,
    productId: Id,
    patchCount: count('Patches that were asked for'),
    addedCount: count('Of these, new to the group'),
    linkItemsTotal: count('Link items of the patches for this product'),
  },
  { title: 'PmGroupPatchesAdded' },
)

export const PmGroupAssignment = closed(
  {
    pmGroupId: Id,
    treeId: Uuid,
    groupName: Type.String({ examples: ['Workstations'] }),
    groupPath: Type.String({ examples: ['Configuration/Workstations'] }),
    isTestAssignment: Type.Boolean({
      examples: [false],
      description: 'True: its computers get the patches before they are approved',
    }),
    isEmergency: Type.Boolean({ examples: [false], description: 'The group was made for emergency patching' }),
    assignedUtc: Instant,
  },
  { title: 'PmGroupAssignment' },
)

export const AssignPmGroupRequest = closed(
  {
    treeId: { ...Uuid, description: 'The group of computers' },
    isTestAssignment: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Release the patches to this group before they are approved',
      }),
    ),
  },
  { title: 'AssignPmGroupRequest' },
)

export const EmergencyPatchingRequest = closed({ computerIds: ComputerIds }, { title: 'EmergencyPatchingRequest' })

const emergency = {
  pmGroupId: Id,
  groupId: { ...Uuid, description: 'The assignment group that was made for it' },
  groupName: Type.String({ examples: ['Emergency patching 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'] }),
  startedUtc: Instant,
}

const Status = enumOf(emergencyStatuses, { title: 'EmergencyPatchingStatus' })

const EmergencyPatchingResult = closed(
  {
    clientId: Int32,
    success: Type.Boolean({ examples: [true], description: 'The computer is patched, or will be' }),
    status: Status,
    message: Type.String({ examples: ['The patches are installed at the next contact of the agent.'] }),
    missingPatches: count('Patches of the group that are missing'),
  },
  { title: 'EmergencyPatchingResult' },
)

export const EmergencyPatchingStarted = closed(
  {
    ...emergency,
    succeeded: count('Computers that are patched, or will be'),
    failed: count('Computers that cannot be patched'),
    results: Type.Array(EmergencyPatchingResult),
  },
  { title: 'EmergencyPatchingStarted' },
)

export const EmergencyPatchingDevice = closed(
  {
    clientId: Id,
    hostname: Type.String({ examples: ['pc-0017'] }),
    domain: nullable(text(255, 'corp.example.org')),
    status: Status,
    missingPatches: count('Patches of the group that are missing'),
  },
  { title: 'EmergencyPatchingDevice' },
)

export const EmergencyPatching = closed(
  { ...emergency, devices: pagedResultOf(EmergencyPatchingDevice) },
  { title: 'EmergencyPatching' },
)

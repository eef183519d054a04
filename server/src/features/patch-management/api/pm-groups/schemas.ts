import {
  closed,
  enumOf,
  Id,
  Instant,
  Int32,
  nameText,
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

export const PmGroupCategorySchema = enumOf(pmGroupCategories, { title: 'PmGroupCategory' })

const count = (description: string) => Type.Integer({ minimum: 0, format: 'int32', examples: [1], description })

export const PmGroup = closed(
  {
    id: Id,
    name: Type.String({ examples: ['Servers, critical'] }),
    category: PmGroupCategorySchema,
    description: nullable(text(1_000, 'What servers get on the first Sunday')),
    patchCount: count('Number of patches, counted once per product'),
    assignmentCount: count('Number of groups that the patch management group is assigned to'),
  },
  { title: 'PmGroup' },
)

const Name = nameText(255, 'Servers, critical', 'Not empty or blank. Unique, regardless of case.')

const Description = text(1_000, 'What servers get on the first Sunday')

export const CreatePmGroupRequest = closed(
  {
    name: Name,
    category: Type.Optional(enumOf(pmGroupCategories, { description: 'Patch by default' })),
    description: Type.Optional(nullable(Description)),
  },
  { title: 'CreatePmGroupRequest' },
)

export const PmGroupPatchRequest = patchOf(
  { name: Name, description: { ...Description, description: 'An empty text clears the description' } },
  { title: 'PmGroupPatchRequest' },
)

export const PmGroupSearchFilter = closed(
  {
    name: Type.Optional(nullable(text(255, 'Servers', 'Part of the name'))),
    description: Type.Optional(nullable(text(255, 'Sunday', 'Part of the description'))),
    category: Type.Optional(nullable(enumOf(pmGroupCategories))),
    patchId: Type.Optional(nullable({ ...Int32, description: 'Only groups that contain this patch' })),
    treeId: Type.Optional(nullable({ ...Uuid, description: 'Only groups that are directly assigned to this group' })),
  },
  { title: 'PmGroupSearchFilter' },
)

export const PmGroupPatch = closed(
  {
    ...patchProperties,
    productId: Id,
    productName: Type.String({ examples: ['Debian GNU/Linux 12'] }),
    linkItems: count('Number of files or packages of the patch for this product'),
    isApproved: Type.Boolean({ examples: [true], description: 'Whether the patch is approved for this product' }),
    isServicePack: Type.Boolean({ examples: [false] }),
  },
  { title: 'PmGroupPatch' },
)

export const PmGroupPatchFilter = closed(PatchSearchFilter.properties, { title: 'PmGroupPatchFilter' })

const PatchIds = Type.Array(Int32, {
  minItems: 1,
  maxItems: 500,
  examples: [[17]],
  description: 'Ids of up to 500 patches',
})

export const PatchPmGroup = closed(
  {
    pmGroupId: Id,
    pmGroupName: Type.String({ examples: ['Servers, critical'] }),
    category: PmGroupCategorySchema,
    productId: Id,
    productName: Type.String({ examples: ['Debian GNU/Linux 12'] }),
  },
  { title: 'PatchPmGroup' },
)

export const AddPmGroupPatchesRequest = closed(
  {
    patchIds: Type.Optional(PatchIds),
    patchId: Type.Optional({
      ...Int32,
      examples: [17],
      description: 'Id of a single patch, instead of or in addition to patchIds',
    }),
    productId: Type.Optional(
      nullable({
        ...Int32,
        examples: [3],
        description: 'Required. Id of the product version for which the patches are added. Null counts as missing.',
      }),
    ),
  },
  { title: 'AddPmGroupPatchesRequest' },
)

export const PmGroupPatchesAdded = closed(
  {
    pmGroupId: Id,
    productId: Id,
    patchCount: count('Number of patches in the request'),
    addedCount: count('Number of patches that are new to the group'),
    linkItemsTotal: count('Number of link items of the patches for this product'),
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
      description: 'Whether the computers get the patches without an approval',
    }),
    isEmergency: Type.Boolean({
      examples: [false],
      description: 'Whether the group was created for emergency patching',
    }),
    assignedUtc: Instant,
  },
  { title: 'PmGroupAssignment' },
)

export const AssignPmGroupRequest = closed(
  {
    treeId: { ...Uuid, description: 'Id of a configuration group or assignment group' },
    isTestAssignment: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Whether to release the patches to this group without an approval',
      }),
    ),
  },
  { title: 'AssignPmGroupRequest' },
)

export const EmergencyPatchingRequest = closed({ computerIds: ComputerIds }, { title: 'EmergencyPatchingRequest' })

const emergency = {
  pmGroupId: Id,
  groupId: { ...Uuid, description: 'The assignment group that was created for the emergency' },
  groupName: Type.String({ examples: ['Emergency patching 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'] }),
  startedUtc: Instant,
}

const Status = enumOf(emergencyStatuses, { title: 'EmergencyPatchingStatus' })

const EmergencyPatchingResult = closed(
  {
    clientId: Int32,
    success: Type.Boolean({ examples: [true], description: 'Whether the computer is patched or will be' }),
    status: Status,
    message: Type.String({ examples: ['The patches will be installed at the next contact of the agent.'] }),
    missingPatches: count('Number of missing patches of the patch management group'),
  },
  { title: 'EmergencyPatchingResult' },
)

export const EmergencyPatchingStarted = closed(
  {
    ...emergency,
    succeeded: count('Number of computers that are patched or will be'),
    failed: count('Number of computers that cannot be patched'),
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
    missingPatches: count('Number of missing patches of the patch management group'),
  },
  { title: 'EmergencyPatchingDevice' },
)

export const EmergencyPatching = closed(
  { ...emergency, devices: pagedResultOf(EmergencyPatchingDevice) },
  { title: 'EmergencyPatching' },
)

import { closed, enumOf, Id, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'

const on = <P extends Parameters<typeof closed>[0]>(properties: P) => closed({ ...GroupPath.properties, ...properties })

export const GroupPackagePath = on({ packageId: Uuid })
export const GroupPxeBootImagePath = on({ pxeId: Id })
export const GroupOsImageSkuPath = on({ skuId: Id })
export const GroupSoftwareClassPath = on({ classId: Id })

export const includeInherited = (description: string) =>
  Type.Optional(Type.Boolean({ default: false, examples: [false], description }))

const skipIfInherited = Type.Optional(
  Type.Boolean({
    default: false,
    examples: [false],
    description: 'Store nothing when the group has the same object from a group above it already.',
  }),
)

const pxeBootImage = { pxeId: Id }
const osImageSku = { packageId: { ...Uuid, description: 'The operating system import' }, skuId: Id }
const packageOnly = { packageId: Uuid }
const softwareClass = { classId: Id }

export const AssignGroupPackageRequest = closed(packageOnly, { title: 'AssignGroupPackageRequest' })
export const AssignLanguagePackRequest = closed(packageOnly, { title: 'AssignLanguagePackRequest' })
export const AssignSoftwareClassRequest = closed(softwareClass, { title: 'AssignSoftwareClassRequest' })
export const AssignPxeBootImageRequest = closed(
  { ...pxeBootImage, skipIfInherited },
  { title: 'AssignPxeBootImageRequest' },
)
export const AssignOsImageSkuRequest = closed({ ...osImageSku, skipIfInherited }, { title: 'AssignOsImageSkuRequest' })
export const AssignAgentTemplateRequest = closed(
  { ...packageOnly, skipIfInherited },
  { title: 'AssignAgentTemplateRequest' },
)

const alreadyAssigned = Type.Boolean({
  examples: [false],
  description: 'It was assigned to this group before; nothing changed',
})

const assignmentOf = <P extends Parameters<typeof closed>[0]>(title: string, object: P) =>
  closed({ groupId: Uuid, ...object, alreadyAssigned }, { title })

const singleAssignmentOf = <P extends Parameters<typeof closed>[0]>(title: string, object: P) =>
  closed(
    {
      groupId: Uuid,
      ...object,
      alreadyAssigned,
      alreadyEffective: Type.Boolean({
        examples: [false],
        description: 'Nothing was stored, because the group has the same object from a group above it',
      }),
      inheritedFromGroupId: nullable({ ...Uuid, description: 'That group above it' }),
    },
    { title },
  )

export const GroupPackageAssignment = assignmentOf('GroupPackageAssignment', packageOnly)
export const GroupLanguagePackAssignment = assignmentOf('GroupLanguagePackAssignment', packageOnly)
export const GroupSoftwareClassAssignment = assignmentOf('GroupSoftwareClassAssignment', softwareClass)
export const GroupPxeBootImageAssignment = singleAssignmentOf('GroupPxeBootImageAssignment', pxeBootImage)
export const GroupOsImageSkuAssignment = singleAssignmentOf('GroupOsImageSkuAssignment', osImageSku)
export const GroupAgentTemplateAssignment = singleAssignmentOf('GroupAgentTemplateAssignment', packageOnly)

export const assignmentTypes = [
  'Package',
  'AgentTemplate',
  'LanguagePackImport',
  'VariableConfiguration',
  'OsImageSku',
  'PxeBootImage',
  'Computer',
] as const

export const GroupAssignmentSummaryItem = closed(
  {
    type: enumOf(assignmentTypes, { title: 'GroupAssignmentType' }),
    id: nullable({ ...Uuid, description: 'Of Package, AgentTemplate and LanguagePackImport' }),
    intId: nullable({ ...Id, description: 'Of VariableConfiguration, PxeBootImage and Computer' }),
    packageId: nullable({ ...Uuid, description: 'Of OsImageSku: the operating system import' }),
    skuId: nullable({ ...Id, description: 'Of OsImageSku' }),
    name: Type.String({ examples: ['Greeting'] }),
  },
  { title: 'GroupAssignmentSummaryItem' },
)

export const PackageReplacementRequest = closed(
  {
    oldPackageId: Uuid,
    newPackageId: { ...Uuid, examples: ['8b1d5c0e-2f6a-4e0b-9a53-6d1f7c20e9aa'] },
    copyDistributionOptions: Type.Optional(
      Type.Boolean({
        default: true,
        examples: [true],
        description: 'Give the new package the distribution options that the old one has in the group.',
      }),
    ),
  },
  { title: 'PackageReplacementRequest' },
)

export const replacementStatuses = [
  'Replaced',
  'AlreadyAssigned',
  'SpecialGroup',
  'CoveredBySoftwareClass',
  'Failed',
] as const

const PackageReplacementGroupResult = closed(
  {
    groupId: Uuid,
    groupPath: Type.String({ examples: ['Configuration/Workstations'] }),
    success: Type.Boolean({ examples: [true], description: 'The group has the new package and not the old one' }),
    status: enumOf(replacementStatuses, { title: 'PackageReplacementStatus' }),
    distributionOptionsCopied: Type.Boolean({ examples: [true], description: 'The old package had options to copy' }),
    message: text(200, 'The new package took the place of the old one.'),
  },
  { title: 'PackageReplacementGroupResult' },
)

const count = (description: string, example: number) =>
  Type.Integer({ format: 'int32', minimum: 0, description, examples: [example] })

export const PackageReplacementResult = closed(
  {
    oldPackageId: Uuid,
    newPackageId: Uuid,
    succeeded: count('Groups that have the new package now', 1),
    failed: count('Groups that were left as they were', 0),
    results: Type.Array(PackageReplacementGroupResult, {
      description: 'One for each group to which the old package was assigned directly, by group id',
    }),
  },
  { title: 'PackageReplacementResult' },
)

import { closed, enumOf, Id, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'

const groupPathWith = <P extends Parameters<typeof closed>[0]>(properties: P) =>
  closed({ ...GroupPath.properties, ...properties })

export const GroupPackagePath = groupPathWith({ packageId: Uuid })
export const GroupPxeBootImagePath = groupPathWith({ pxeId: Id })
export const GroupOsImageSkuPath = groupPathWith({ skuId: Id })
export const GroupSoftwareClassPath = groupPathWith({ classId: Id })

export const includeInherited = (description: string) =>
  Type.Optional(Type.Boolean({ default: false, examples: [false], description }))

const skipIfInherited = Type.Optional(
  Type.Boolean({
    default: false,
    examples: [false],
    description: 'Store nothing if the group already inherits the same object from an ancestor.',
  }),
)

const pxeBootImage = { pxeId: Id }
const osImageSku = { packageId: { ...Uuid, description: 'Operating system that has the SKU' }, skuId: Id }
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
  description: 'The object was assigned to this group already; nothing changed',
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
        description: 'Nothing was stored because the group inherits the same object',
      }),
      inheritedFromGroupId: nullable({ ...Uuid, description: 'Ancestor that assigns it, if nothing was stored' }),
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
    id: nullable({ ...Uuid, description: 'Set for Package, AgentTemplate and LanguagePackImport' }),
    intId: nullable({ ...Id, description: 'Set for VariableConfiguration, PxeBootImage and Computer' }),
    packageId: nullable({ ...Uuid, description: 'Set for OsImageSku: the operating system that has the SKU' }),
    skuId: nullable({ ...Id, description: 'Set for OsImageSku' }),
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
        description: 'Copy the distribution options of the old package in each group to the new package.',
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
    success: Type.Boolean({ examples: [true], description: 'The group has the new package and no longer the old one' }),
    status: enumOf(replacementStatuses, { title: 'PackageReplacementStatus' }),
    distributionOptionsCopied: Type.Boolean({
      examples: [true],
      description: 'The old package had distribution options, and they were copied',
    }),
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
    succeeded: count('Number of groups that now have the new package instead of the old one', 1),
    failed: count('Number of groups that were not changed', 0),
    results: Type.Array(PackageReplacementGroupResult, {
      description: 'One result per group that had the old package assigned directly, sorted by group id',
    }),
  },
  { title: 'PackageReplacementResult' },
)

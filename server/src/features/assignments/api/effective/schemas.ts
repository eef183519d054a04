import { closed, enumOf, Id, nullable, Type, Uuid } from '../../../../platform/schema.ts'
import { AgentTemplate } from '../../../packages/api/agent-templates/schemas.ts'
import { LanguagePackImport } from '../../../packages/api/language-packs/schemas.ts'
import { OsImageSku } from '../../../packages/api/operating-systems/schemas.ts'
import { PxeBootImage } from '../../../packages/api/pxe-boot-images/schemas.ts'
import { imageProperties } from '../../../packages/api/schemas.ts'
import { osDeploymentConditions } from '../../os-deployment-readiness.ts'

export const ComputerPackagePath = closed({ id: Id, packageId: Uuid })

const assigningGroup = {
  assignedGroupId: { ...Uuid, description: 'Group that assigns it' },
  assignedGroupPath: Type.String({
    examples: ['Configuration/Workstations'],
    description: 'Path of that group: group names from the root of the tree',
  }),
}

export const ComputerAgentTemplate = closed(
  { template: AgentTemplate, ...assigningGroup },
  { title: 'ComputerAgentTemplate' },
)

const { skuId, skuIndex, edition, imageName } = OsImageSku.properties

export const ComputerOsImageSku = closed(
  { skuId, skuIndex, edition, imageName, ...imageProperties, ...assigningGroup },
  { title: 'ComputerOsImageSku' },
)

export const ComputerPxeBootImage = closed(
  { imageId: Id, imageName: PxeBootImage.properties.name, ...assigningGroup },
  { title: 'ComputerPxeBootImage' },
)

export const ComputerLanguagePack = closed(
  {
    packageId: Uuid,
    imageName: LanguagePackImport.properties.name,
    ...imageProperties,
    ...assigningGroup,
  },
  { title: 'ComputerLanguagePack' },
)

export const MissingConditions = Type.Array(enumOf(osDeploymentConditions, { title: 'OsDeploymentCondition' }), {
  examples: [[]],
  description:
    'OsImageSku, PxeBootImage: no group assigns one. OsImageReadyToInstall, PxeBootImageReadyToInstall: the assigned ' +
    'package is not Ready to Install, or its hash is not current. OsImageForArchitecture, PxeBootImageForArchitecture: the ' +
    'package is not for the architecture that the computer has reported. PxeSupport: the computer does not support PXE. ' +
    'MacAddress: the computer has none, so it can be neither woken nor recognised when it boots from the network.',
})

export const OsDeploymentReadiness = closed(
  {
    ready: Type.Boolean({
      examples: [true],
      description: 'Everything is assigned and ready that an activation with pxe=true needs',
    }),
    skuId: nullable(Id),
    edition: nullable(edition),
    skuGroupId: nullable({ ...Uuid, description: 'Group that assigns the SKU' }),
    pxeImageId: nullable(Id),
    pxeGroupId: nullable({ ...Uuid, description: 'Group that assigns the boot image' }),
    missing: MissingConditions,
  },
  { title: 'OsDeploymentReadiness' },
)

import { closed, enumOf, Id, nullable, Type, Uuid } from '../../../../platform/schema.ts'
import { AgentTemplate } from '../../../packages/api/agent-templates/schemas.ts'
import { LanguagePackImport } from '../../../packages/api/language-packs/schemas.ts'
import { imageProperties, OsImageSku } from '../../../packages/api/operating-systems/schemas.ts'
import { PxeBootImage } from '../../../packages/api/pxe-boot-images/schemas.ts'

export const ComputerPackagePath = closed({ id: Id, packageId: Uuid })

const winningGroup = {
  assignedGroupId: { ...Uuid, description: 'The group that holds the assignment' },
  assignedGroupPath: Type.String({
    examples: ['Configuration/Workstations'],
    description: 'Names from the root of the tree to that group',
  }),
}

export const ComputerAgentTemplate = closed(
  { template: AgentTemplate, ...winningGroup },
  { title: 'ComputerAgentTemplate' },
)

const { skuId, skuIndex, edition, imageName } = OsImageSku.properties

export const ComputerOsImageSku = closed(
  { skuId, skuIndex, edition, imageName, ...imageProperties, ...winningGroup },
  { title: 'ComputerOsImageSku' },
)

export const ComputerPxeBootImage = closed(
  { imageId: Id, imageName: PxeBootImage.properties.name, ...winningGroup },
  { title: 'ComputerPxeBootImage' },
)

export const ComputerLanguagePack = closed(
  {
    packageId: Uuid,
    imageName: LanguagePackImport.properties.name,
    ...imageProperties,
    ...winningGroup,
  },
  { title: 'ComputerLanguagePack' },
)

export const OsDeploymentReadiness = closed(
  {
    ready: Type.Boolean({
      examples: [true],
      description: 'Nothing must be assigned before the computer is activated with pxe=true',
    }),
    skuId: nullable(Id),
    edition: nullable(edition),
    skuGroupId: nullable({ ...Uuid, description: 'The group that holds the assignment of the SKU' }),
    pxeImageId: nullable(Id),
    pxeGroupId: nullable({ ...Uuid, description: 'The group that holds the assignment of the boot image' }),
    missing: Type.Array(enumOf(['OsImageSku', 'PxeBootImage']), {
      examples: [[]],
      description: 'What is not assigned',
    }),
  },
  { title: 'OsDeploymentReadiness' },
)

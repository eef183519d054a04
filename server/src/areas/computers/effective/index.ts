import type { AnyOperation } from '../../../platform/operation.ts'
import { getComputerAgentTemplate } from './get-computer-agent-template.ts'
import { getComputerOsImageSku } from './get-computer-os-image-sku.ts'
import { getComputerPxeBootImage } from './get-computer-pxe-boot-image.ts'
import { getOsDeploymentReadiness } from './get-os-deployment-readiness.ts'
import { listComputerLanguagePacks } from './list-computer-language-packs.ts'
import { listComputerPackageGroups } from './list-computer-package-groups.ts'

export const computerEffective: readonly AnyOperation[] = [
  getComputerAgentTemplate,
  getComputerOsImageSku,
  getComputerPxeBootImage,
  listComputerLanguagePacks,
  getOsDeploymentReadiness,
  listComputerPackageGroups,
]

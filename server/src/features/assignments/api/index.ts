import type { AnyOperation } from '../../../platform/operation.ts'
import { listAgentTemplateGroups } from './assigned-groups/list-agent-template-groups.ts'
import { listLanguagePackImportGroups } from './assigned-groups/list-language-pack-import-groups.ts'
import { listOsImageSkuGroups } from './assigned-groups/list-os-image-sku-groups.ts'
import { listPackageGroups } from './assigned-groups/list-package-groups.ts'
import { listPxeBootImageGroups } from './assigned-groups/list-pxe-boot-image-groups.ts'
import { listSoftwareClassGroups } from './assigned-groups/list-software-class-groups.ts'
import { getComputerAgentTemplate } from './effective/get-computer-agent-template.ts'
import { getComputerOsImageSku } from './effective/get-computer-os-image-sku.ts'
import { getComputerPxeBootImage } from './effective/get-computer-pxe-boot-image.ts'
import { listComputerLanguagePacks } from './effective/list-computer-language-packs.ts'
import { listComputerPackageGroups } from './effective/list-computer-package-groups.ts'
import { assignGroupAgentTemplate } from './groups/assign-group-agent-template.ts'
import { assignGroupLanguagePack } from './groups/assign-group-language-pack.ts'
import { assignGroupOsImageSku } from './groups/assign-group-os-image-sku.ts'
import { assignGroupPackage } from './groups/assign-group-package.ts'
import { assignGroupPxeBootImage } from './groups/assign-group-pxe-boot-image.ts'
import { assignGroupSoftwareClass } from './groups/assign-group-software-class.ts'
import { getGroupAgentTemplate } from './groups/get-group-agent-template.ts'
import { getGroupOsImageSku } from './groups/get-group-os-image-sku.ts'
import { getGroupPxeBootImage } from './groups/get-group-pxe-boot-image.ts'
import { listGroupAssignments } from './groups/list-group-assignments.ts'
import { listGroupLanguagePacks } from './groups/list-group-language-packs.ts'
import { listGroupPackages } from './groups/list-group-packages.ts'
import { listGroupSoftwareClasses } from './groups/list-group-software-classes.ts'
import { removeGroupAgentTemplate } from './groups/remove-group-agent-template.ts'
import { removeGroupLanguagePack } from './groups/remove-group-language-pack.ts'
import { removeGroupOsImageSku } from './groups/remove-group-os-image-sku.ts'
import { removeGroupPackage } from './groups/remove-group-package.ts'
import { removeGroupPxeBootImage } from './groups/remove-group-pxe-boot-image.ts'
import { removeGroupSoftwareClass } from './groups/remove-group-software-class.ts'
import { replacePackage } from './groups/replace-package.ts'

export const assignmentsApi: readonly AnyOperation[] = [
  getComputerAgentTemplate,
  getComputerOsImageSku,
  getComputerPxeBootImage,
  listComputerLanguagePacks,
  listComputerPackageGroups,
  listGroupAssignments,
  listGroupPackages,
  assignGroupPackage,
  removeGroupPackage,
  replacePackage,
  getGroupPxeBootImage,
  assignGroupPxeBootImage,
  removeGroupPxeBootImage,
  getGroupOsImageSku,
  assignGroupOsImageSku,
  removeGroupOsImageSku,
  getGroupAgentTemplate,
  assignGroupAgentTemplate,
  removeGroupAgentTemplate,
  listGroupLanguagePacks,
  assignGroupLanguagePack,
  removeGroupLanguagePack,
  listGroupSoftwareClasses,
  assignGroupSoftwareClass,
  removeGroupSoftwareClass,
  listPackageGroups,
  listOsImageSkuGroups,
  listPxeBootImageGroups,
  listLanguagePackImportGroups,
  listAgentTemplateGroups,
  listSoftwareClassGroups,
]

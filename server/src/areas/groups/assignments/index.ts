import type { AnyOperation } from '../../../platform/operation.ts'
import { assignGroupAgentTemplate } from './assign-group-agent-template.ts'
import { assignGroupLanguagePack } from './assign-group-language-pack.ts'
import { assignGroupOsImageSku } from './assign-group-os-image-sku.ts'
import { assignGroupPackage } from './assign-group-package.ts'
import { assignGroupPxeBootImage } from './assign-group-pxe-boot-image.ts'
import { assignGroupSoftwareClass } from './assign-group-software-class.ts'
import { getGroupAgentTemplate } from './get-group-agent-template.ts'
import { getGroupOsImageSku } from './get-group-os-image-sku.ts'
import { getGroupPxeBootImage } from './get-group-pxe-boot-image.ts'
import { listGroupAssignments } from './list-group-assignments.ts'
import { listGroupLanguagePacks } from './list-group-language-packs.ts'
import { listGroupPackages } from './list-group-packages.ts'
import { listGroupSoftwareClasses } from './list-group-software-classes.ts'
import { removeGroupAgentTemplate } from './remove-group-agent-template.ts'
import { removeGroupLanguagePack } from './remove-group-language-pack.ts'
import { removeGroupOsImageSku } from './remove-group-os-image-sku.ts'
import { removeGroupPackage } from './remove-group-package.ts'
import { removeGroupPxeBootImage } from './remove-group-pxe-boot-image.ts'
import { removeGroupSoftwareClass } from './remove-group-software-class.ts'
import { replacePackage } from './replace-package.ts'

export const groupAssignments: readonly AnyOperation[] = [
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
]

import type { AnyOperation } from '../../../platform/operation.ts'
import { addRepositoryPackage } from './add-repository-package.ts'
import { getAgentTemplate } from './agent-templates/get-agent-template.ts'
import { listAgentTemplates } from './agent-templates/list-agent-templates.ts'
import { searchAgentTemplates } from './agent-templates/search-agent-templates.ts'
import { generatePackageHash } from './generate-package-hash.ts'
import { getPackage } from './get-package.ts'
import { getPackageImport } from './get-package-import.ts'
import { getPackageTags } from './get-package-tags.ts'
import { importPackage } from './import-package.ts'
import { getLanguagePackImport } from './language-packs/get-language-pack-import.ts'
import { listLanguagePackImports } from './language-packs/list-language-pack-imports.ts'
import { searchLanguagePackImports } from './language-packs/search-language-pack-imports.ts'
import { listPackages } from './list-packages.ts'
import { listTagPackages } from './list-tag-packages.ts'
import { getOperatingSystemImport } from './operating-systems/get-operating-system-import.ts'
import { listOperatingSystemImports } from './operating-systems/list-operating-system-imports.ts'
import { searchOperatingSystemImports } from './operating-systems/search-operating-system-imports.ts'
import { getPxeBootImage } from './pxe-boot-images/get-pxe-boot-image.ts'
import { listPxeBootImages } from './pxe-boot-images/list-pxe-boot-images.ts'
import { searchPxeBootImages } from './pxe-boot-images/search-pxe-boot-images.ts'
import { searchPackages } from './search-packages.ts'
import { setPackageTags } from './set-package-tags.ts'
import { setReadyToInstall } from './set-ready-to-install.ts'
import { getSoftwareClass } from './software-classes/get-software-class.ts'
import { listSoftwareClasses } from './software-classes/list-software-classes.ts'
import { searchSoftwareClasses } from './software-classes/search-software-classes.ts'

export const packagesApi: readonly AnyOperation[] = [
  listPackages,
  searchPackages,
  importPackage,
  addRepositoryPackage,
  getPackageImport,
  getPackage,
  getPackageTags,
  setPackageTags,
  setReadyToInstall,
  generatePackageHash,
  listOperatingSystemImports,
  searchOperatingSystemImports,
  getOperatingSystemImport,
  listPxeBootImages,
  searchPxeBootImages,
  getPxeBootImage,
  listLanguagePackImports,
  searchLanguagePackImports,
  getLanguagePackImport,
  listAgentTemplates,
  searchAgentTemplates,
  getAgentTemplate,
  listSoftwareClasses,
  searchSoftwareClasses,
  getSoftwareClass,
  listTagPackages,
]

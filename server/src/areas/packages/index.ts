import type { Area } from '../../platform/operation.ts'
import { generatePackageHash } from './generate-package-hash.ts'
import { getPackage } from './get-package.ts'
import { getPackageImport } from './get-package-import.ts'
import { getPackageStatus } from './get-package-status.ts'
import { getPackageTags } from './get-package-tags.ts'
import { importPackage } from './import-package.ts'
import { listPackageGroups } from './list-package-groups.ts'
import { listPackages } from './list-packages.ts'
import { searchPackages } from './search-packages.ts'
import { setPackageTags } from './set-package-tags.ts'
import { setReadyToInstall } from './set-ready-to-install.ts'

export const packages: Area = {
  name: 'Software Packages',
  description: 'What can be installed: packages, where they are assigned, and their import from the package store.',
  operations: [
    listPackages,
    searchPackages,
    importPackage,
    getPackageImport,
    getPackage,
    getPackageStatus,
    listPackageGroups,
    getPackageTags,
    setPackageTags,
    setReadyToInstall,
    generatePackageHash,
  ],
}

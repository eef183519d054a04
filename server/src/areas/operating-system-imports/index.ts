import type { Area } from '../../platform/operation.ts'
import { getOperatingSystemImport } from './get-operating-system-import.ts'
import { listOperatingSystemImports } from './list-operating-system-imports.ts'
import { listOsImageSkuGroups } from './list-os-image-sku-groups.ts'
import { searchOperatingSystemImports } from './search-operating-system-imports.ts'

export const operatingSystemImports: Area = {
  name: 'Operating System Imports',
  description: 'Images of operating systems, with the editions in them.',
  operations: [
    listOperatingSystemImports,
    searchOperatingSystemImports,
    getOperatingSystemImport,
    listOsImageSkuGroups,
  ],
}

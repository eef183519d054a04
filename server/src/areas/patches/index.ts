import type { Area } from '../../platform/operation.ts'
import { approvePatch } from './approve-patch.ts'
import { getPatch } from './get-patch.ts'
import { getPatchCatalogImport } from './get-patch-catalog-import.ts'
import { importPatchCatalog } from './import-patch-catalog.ts'
import { listPatchPmGroups } from './list-patch-pm-groups.ts'
import { listPatchProducts } from './list-patch-products.ts'
import { listPatches } from './list-patches.ts'
import { revokePatchApproval } from './revoke-patch-approval.ts'
import { searchPatches } from './search-patches.ts'

export const patches: Area = {
  name: 'Patches',
  description: 'The catalog of patches, and for which product versions they are approved.',
  operations: [
    listPatches,
    searchPatches,
    importPatchCatalog,
    getPatchCatalogImport,
    getPatch,
    listPatchProducts,
    listPatchPmGroups,
    approvePatch,
    revokePatchApproval,
  ],
}

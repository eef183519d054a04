import type { AnyOperation } from '../../../platform/operation.ts'
import { downloadPatch } from './download-patch.ts'
import { getPatch } from './get-patch.ts'
import { getPatchCatalogImport } from './get-patch-catalog-import.ts'
import { getPatchSla } from './get-patch-sla.ts'
import { importPatchCatalog } from './import-patch-catalog.ts'
import { listPatchFiles } from './list-patch-files.ts'
import { listPatchProducts } from './list-patch-products.ts'
import { listPatches } from './list-patches.ts'
import { searchPatches } from './search-patches.ts'
import { setPatchSla } from './set-patch-sla.ts'

export const patchesApi: readonly AnyOperation[] = [
  listPatches,
  searchPatches,
  importPatchCatalog,
  getPatchCatalogImport,
  getPatch,
  listPatchProducts,
  listPatchFiles,
  downloadPatch,
  getPatchSla,
  setPatchSla,
]

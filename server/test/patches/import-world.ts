import { getPatchCatalogImport } from '../../src/features/patches/api/get-patch-catalog-import.ts'
import { importPatchCatalog } from '../../src/features/patches/api/import-patch-catalog.ts'
import { listPatchProducts } from '../../src/features/patches/api/list-patch-products.ts'
import { searchPatches } from '../../src/features/patches/api/search-patches.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { openPackageWorld } from '../packages/package-world.ts'
import type { World } from '../world/open-world.ts'

/** The service with a package store, job workers and helpers for patch catalog imports. */
export const openImportWorld = async () => withPatchImports(await openPackageWorld())

/** A world with a job runner, and with helpers for patch catalog imports. */
export function withPatchImports<W extends World>(world: W) {
  const { as } = world

  return {
    ...world,
    /** Imports a folder and waits until the import has finished. */
    async importPatches(folderPath: string, format?: 'Csaf' | 'Muster') {
      const { body } = await as('pm.write').call(importPatchCatalog, {
        body: { folderPath, ...(format && { format }) },
      })
      return until(async () => {
        const { body: status } = await as('pm.read').call(getPatchCatalogImport, {
          params: { trackingId: body.trackingId },
        })
        return status.finishedAtUtc ? status : undefined
      }, 20_000)
    },
    /** The patch of the bulletin with the link items of its products. */
    async findPatch(bulletinId: string) {
      const { body } = await as('pm.read').call(searchPatches, { body: { bulletinId } })
      const patch = body.items.find((item) => item.bulletinId === bulletinId)
      if (!patch) return undefined
      const products = await as('pm.read').call(listPatchProducts, { params: { patchId: patch.patchId } })
      return {
        ...patch,
        products: Object.fromEntries(products.body.items.map(({ productName, linkItems }) => [productName, linkItems])),
      }
    },
  }
}

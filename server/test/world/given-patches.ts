import { randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import type { Patches } from '../../src/database/tables.ts'
import type { ReportedPatch } from '../../src/features/patch-management/reported-patches.ts'
import { storePatchScan } from '../../src/features/patch-management/store-scan.ts'

export type GivenPatch = { id: number; key: string }
export type GivenProduct = { id: number; name: string }

/** Factories for patches, their products and PM groups. */
export function givenPatchesIn(db: Database) {
  return {
    async product({ name = `product ${randomBytes(6).toString('hex')}` } = {}): Promise<GivenProduct> {
      return db.insertInto('patch_products').values({ name }).returning(['id', 'name']).executeTakeFirstOrThrow()
    },

    /** A security patch for the given products, or for a new one. */
    async patch({
      key = `KB${randomBytes(6).toString('hex')}`,
      products,
      linkItems = 1,
      approved = false,
      ...columns
    }: Partial<Insertable<Patches>> & {
      products?: readonly { id: number }[]
      linkItems?: number
      approved?: boolean
    } = {}) {
      const patch = await db
        .insertInto('patches')
        .values({ key, name: `Update ${key}`, q_number: key, patch_type: 'SecurityPatch', ...columns })
        .returning(['id', 'key', 'name', 'uid'])
        .executeTakeFirstOrThrow()
      const linked = products ?? [await this.product()]
      for (const { id } of linked)
        await db
          .insertInto('patch_links')
          .values({
            patch_id: patch.id,
            product_id: id,
            link_items: linkItems,
            approved_at: approved ? new Date() : null,
          })
          .execute()
      return { ...patch, productId: linked[0]?.id ?? 0 }
    },

    async pmGroup({
      name = `PM group ${randomBytes(6).toString('hex')}`,
      category = 'Patch' as 'Patch' | 'ServicePack',
      patches = [] as readonly { id: number; productId: number }[],
    } = {}) {
      const group = await db
        .insertInto('pm_groups')
        .values({ name, category })
        .returning(['id', 'name'])
        .executeTakeFirstOrThrow()
      for (const { id, productId } of patches)
        await db
          .insertInto('pm_group_patches')
          .values({ pm_group_id: group.id, patch_id: id, product_id: productId })
          .execute()
      return group
    },

    async pmAssignment(pmGroup: { id: number }, group: { id: string }, { isTest = false } = {}) {
      await db
        .insertInto('pm_group_assignments')
        .values({ pm_group_id: pmGroup.id, group_id: group.id, is_test: isTest })
        .execute()
    },

    /** Stores a patch scan as if the agent of the computer had reported it. */
    async patchScan(
      computer: { id: number },
      patches: readonly ReportedPatch[],
      scan: { scannedAt?: Date; definitionVersion?: string } = {},
    ) {
      await db
        .transaction()
        .execute((transaction) => storePatchScan(transaction, computer.id, { scannedAt: new Date(), ...scan, patches }))
    },
  }
}

import { caselessKey } from '@muster/text'
import { sql } from 'kysely'
import { requireDifferent } from '../group-entries.ts'
import type { StateObject, StateSection } from '../state-section.ts'

export type PatchOfProduct = { patch: string; product: string }

export const patchKey = ({ patch, product }: PatchOfProduct): string => caselessKey(patch, product)

export const patchLabel = ({ patch, product }: PatchOfProduct): string => `${patch} for ${product}`

export const patchReference = (one: PatchOfProduct) => ({
  section: 'patches' as const,
  key: patchKey(one),
  name: `The patch ${patchLabel(one)}`,
})

export type PatchIds = { patchId: number; productId: number }

/** The known patches, each with a product. Catalogs and scans bring them: the document only refers to them. */
export const patchesSection: StateSection = {
  name: 'patches',
  usedBy: ['patchGroups', 'patchApprovals'],
  readRole: 'pm.read',
  async readCurrent(db) {
    const { rows } = await sql<PatchOfProduct & PatchIds>`
      select patches.key as patch, product.name as product, patches.id as "patchId", product.id as "productId"
      from patch_links link join patches on patches.id = link.patch_id
        join patch_products product on product.id = link.product_id`.execute(db)
    return rows.map(({ patch, product, ...ids }) => ({
      key: patchKey({ patch, product }),
      name: patchLabel({ patch, product }),
      fields: {},
      details: ids satisfies PatchIds,
    }))
  },
  readDocument: () => undefined,
  writeDocument() {},
  toRequests: () => [],
}

const toApproval = (one: PatchOfProduct): StateObject => ({
  key: patchKey(one),
  name: patchLabel(one),
  fields: {},
  needs: [patchReference(one)],
  details: one,
})

/** The patches that are approved for a product. */
export const patchApprovalsSection: StateSection = {
  name: 'patchApprovals',
  property: 'patchApprovals',
  readRole: 'pm.read',
  async readCurrent(db) {
    const { rows } = await sql<PatchOfProduct & { groups: string[] }>`
      select patches.key as patch, product.name as product,
        array(select distinct own.path from pm_group_patches member
          join pm_group_assignments assigned on assigned.pm_group_id = member.pm_group_id
          join groups own on own.id = assigned.group_id
          where (member.patch_id, member.product_id) = (link.patch_id, link.product_id)) as groups
      from patch_links link join patches on patches.id = link.patch_id
        join patch_products product on product.id = link.product_id
      where link.approved_at is not null
      order by lower(patches.key), lower(product.name)`.execute(db)
    return rows.map(({ groups, ...one }) => ({ ...toApproval(one), groups }))
  },
  readDocument: ({ patchApprovals }) =>
    patchApprovals && requireDifferent('patchApprovals', patchApprovals.map(toApproval)),
  writeDocument(objects, document) {
    document.patchApprovals = objects.map(({ details }) => details as PatchOfProduct)
  },
  toRequests: (changes, { find }) =>
    changes.map(({ object, after }) => {
      const ids = find('patches', object.key)?.details as PatchIds | undefined
      return {
        operation: after ? 'approvePatch' : 'revokePatchApproval',
        params: { patchId: ids?.patchId },
        query: { productId: ids?.productId },
      }
    }),
}

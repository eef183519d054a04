import { type RawBuilder, sql } from 'kysely'
import type { RequestParts } from '../../platform/operation.ts'
import { type AffectedComputers, computersBelow } from '../groups/affected-computers.ts'

/** The mass action of operations on the PM group in their path: it affects the computers to which it is assigned. */
export const affectsPmGroup = {
  computers: ({ params }: Pick<RequestParts, 'params'>): AffectedComputers =>
    computersBelow(sql`
      select group_id from pm_group_assignments where pm_group_id = ${(params as { id: number }).id}`),
}

/** The computers on which the patch is missing; for one product version, or for all. */
export const computersWithoutPatch = (patchId: number, productId: number | undefined) =>
  computersByScan(patchId, productId, sql`is_missing`)

/** The computers on which the patch is installed. */
export const computersWithPatch = (patchId: number, productId: number | undefined) =>
  computersByScan(patchId, productId, sql`not is_missing`)

function computersByScan(
  patchId: number,
  productId: number | undefined,
  condition: RawBuilder<unknown>,
): AffectedComputers {
  return sql`
    select computer_id from computer_patches
    where patch_id = ${patchId} and ${condition}
      and ${productId === undefined ? sql`true` : sql`product_id = ${productId}`}`
}

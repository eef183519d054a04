import type { Database } from '../../../../database/connect.ts'
import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computer-rows.ts'
import { isAssignedPatch } from '../../../patches/effective-pm-groups.ts'
import { matchesPatchCriteria } from '../../../patches/patch-criteria.ts'
import { patchColumns } from '../../../patches/patch-rows.ts'
import { hasScanStatus, scanStatus } from '../../scan-status.ts'
import { PatchDetail, type PatchDetailCriteria, PatchDetailFilter } from './schemas.ts'

export const searchComputerPatches = operation({
  id: 'searchComputerPatches',
  route: 'POST /api/computer/:id/patches-search',
  summary: 'Search what the last patch scan of a computer found, missing or installed',
  description: 'Without criteria, all of it. Empty as long as there was no patch scan.',
  role: 'computer.read',
  readonly: true,
  params: ComputerPath,
  query: closed(paging),
  body: PatchDetailFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(PatchDetail)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, body, db } = call
    const found = patchesOf(db, params.id, body ?? {}).select(patchColumns)
    const details = found.select([scanStatus.as('scanStatus'), 'computer_patches.product_id as productId'])
    const page = await pageOf(call, details, { columns: ['patchId', 'productId'] })
    if (page.totalCount === 0) await requireComputer(db, params.id)
    return page
  },
})

const row = { computer: 'computer_patches.computer_id', patch: 'patches.id', product: 'computer_patches.product_id' }

function patchesOf(db: Database, computerId: number, criteria: PatchDetailCriteria) {
  const { scanStatus: status, productName, isAssigned, ...ofPatch } = criteria
  let found = db
    .selectFrom('computer_patches')
    .innerJoin('patches', 'patches.id', 'computer_patches.patch_id')
    .where('computer_patches.computer_id', '=', computerId)
    .where(matchesPatchCriteria(ofPatch))
  if (status) found = found.where(hasScanStatus(status))
  if (productName)
    found = found.where('computer_patches.product_id', 'in', ({ selectFrom }) =>
      selectFrom('patch_products').select('id').where('name', 'ilike', containing(productName)),
    )
  if (typeof isAssigned === 'boolean') found = found.where(isAssignedPatch(row), '=', isAssigned)
  return found
}

import type { Database } from '../../../../database/connect.ts'
import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { isAssignedPatch } from '../../../patches/effective-pm-groups.ts'
import { matchesPatchCriteria } from '../../../patches/patch-criteria.ts'
import { patchColumns } from '../../../patches/patch-rows.ts'
import { hasScanStatusContaining, scanStatus } from '../../scan-status.ts'
import { PatchDetail, type PatchDetailCriteria, PatchDetailFilter } from './schemas.ts'

export const searchComputerPatches = operation({
  id: 'searchComputerPatches',
  route: 'POST /api/computer/:id/patches-search',
  summary: 'Search the patches of a computer',
  description:
    'Searches what the last patch scan found missing or installed. A patch must meet all criteria; without criteria, all ' +
    'patches are returned. The result is empty until the first patch scan.',
  role: 'computer.read',
  execution: { kind: 'Read' },
  params: ComputerPath,
  query: closed(paging),
  body: PatchDetailFilter,
  bodyOptional: true,
  returns: ok(pagedResultOf(PatchDetail)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, body, db } = call
    const patches = computerPatchRows(db, params.id, body ?? {}).select(patchColumns)
    const details = patches.select([
      scanStatus('computer_patches.is_missing').as('scanStatus'),
      'computer_patches.product_id as productId',
      'computer_patches.locked_by as lockedBy',
      'computer_patches.restart_suggested as restartSuggested',
    ])
    const page = await pageOf(call, details, { columns: ['patchId', 'productId'] })
    if (page.totalCount === 0) await requireComputer(db, params.id)
    return page
  },
})

const columns = {
  computer: 'computer_patches.computer_id',
  patch: 'patches.id',
  product: 'computer_patches.product_id',
}

function computerPatchRows(db: Database, computerId: number, criteria: PatchDetailCriteria) {
  const { scanStatus: status, productName, isAssigned, ...patchCriteria } = criteria
  let rows = db
    .selectFrom('computer_patches')
    .innerJoin('patches', 'patches.id', 'computer_patches.patch_id')
    .where('computer_patches.computer_id', '=', computerId)
    .where(matchesPatchCriteria(patchCriteria))
  if (status) rows = rows.where(hasScanStatusContaining('computer_patches.is_missing', status))
  if (productName)
    rows = rows.where('computer_patches.product_id', 'in', ({ selectFrom }) =>
      selectFrom('patch_products').select('id').where('name', 'ilike', containing(productName)),
    )
  if (typeof isAssigned === 'boolean') rows = rows.where(isAssignedPatch(columns), '=', isAssigned)
  return rows
}

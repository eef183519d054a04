import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { containing } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, Int32, pagedResultOf, type Static, Type, text } from '../../../../platform/schema.ts'
import { fleetFilters, fleetScope } from '../../../groups/fleet-filter.ts'
import { groupNotFound } from '../../../groups/groups.ts'
import { isAssignedPatch } from '../../../patches/effective-pm-groups.ts'
import { hasScanStatus, scanStatus } from '../../scan-status.ts'
import { PatchStatusDevice } from './schemas.ts'

const Query = closed({
  ...paging,
  ...fleetFilters,
  patchId: Type.Optional({ ...Int32, examples: [17], description: 'Only the patch with this id' }),
  qNumber: Type.Optional(text(255, 'KB5034441', 'Only patches with this number')),
  patchName: Type.Optional(text(255, 'openssl', 'Only patches whose name contains this text')),
  scanStatus: Type.Optional(text(255, 'Missing', 'Missing or Installed; case is ignored')),
})

export const listPatchStatusDevices = operation({
  id: 'listPatchStatusDevices',
  route: 'GET /api/computer/patch-status',
  summary: 'List computers on which patches are missing or installed',
  description:
    'Returns one item per computer, patch and product in the last patch scan of each computer. Without `patchId`, ' +
    '`qNumber` or `patchName`, it covers all patches.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  query: Query,
  returns: ok(pagedResultOf(PatchStatusDevice)),
  problems: [groupNotFound],
  async handle(call) {
    const { query, db } = call
    const matching = matchingRows(db, query, await fleetScope(db, query))
    return pageOf(
      call,
      deviceRows(db),
      { columns: ['patchId', 'productId', 'clientId'] },
      { query: matching, once: false },
    )
  },
})

const columns = {
  computer: 'computer_patches.computer_id',
  patch: 'computer_patches.patch_id',
  product: 'computer_patches.product_id',
}

// Subqueries instead of joins: each joined table makes the statement slower to plan, and planning already takes longer
// than running it.
function deviceRows(db: Database) {
  return db
    .selectFrom('computer_patches')
    .innerJoin('computers', 'computers.id', 'computer_patches.computer_id')
    .innerJoin('patches', 'patches.id', 'computer_patches.patch_id')
    .select([
      'computer_patches.patch_id as id',
      'computer_patches.computer_id as clientId',
      'computers.name as hostname',
      'computers.domain',
      sql<Date>`(select scanned_at from patch_scans scan where scan.computer_id = computer_patches.computer_id)`.as(
        'lastScanDate',
      ),
      scanStatus('computer_patches.is_missing').as('scanStatus'),
      sql<string>`(
        select case when link.approved_at is null then 'NotApproved' else 'Approved' end from patch_links link
        where link.patch_id = computer_patches.patch_id and link.product_id = computer_patches.product_id)`.as(
        'patchStatus',
      ),
      isAssignedPatch(columns).as('isAssigned'),
      'computer_patches.installed_at as installedDate',
      'patches.q_number as qNumber',
      'patches.name as patchName',
      sql<string>`(select name from patch_products product where product.id = computer_patches.product_id)`.as(
        'productName',
      ),
      'computer_patches.patch_id as patchId',
      'patches.uid as patchUid',
      'computer_patches.product_id as productId',
      'computer_patches.locked_by as lockedBy',
      'computer_patches.restart_suggested as restartSuggested',
    ])
}

function matchingRows(db: Database, query: Static<typeof Query>, scope: Awaited<ReturnType<typeof fleetScope>>) {
  const { patchId, qNumber, patchName } = query
  let rows = db
    .selectFrom('computer_patches')
    .select(['patch_id as patchId', 'product_id as productId', 'computer_id as clientId'])
  if (patchId !== undefined) rows = rows.where('patch_id', '=', patchId)
  if (query.scanStatus) rows = rows.where(hasScanStatus('computer_patches.is_missing', query.scanStatus))
  if (qNumber)
    rows = rows.where('patch_id', 'in', sql<number>`(select id from patches where lower(q_number) = lower(${qNumber}))`)
  if (patchName)
    rows = rows.where('patch_id', 'in', sql<number>`(select id from patches where name ilike ${containing(patchName)})`)
  if (scope) rows = rows.where('computer_id', 'in', sql<number>`(${scope})`)
  return rows
}

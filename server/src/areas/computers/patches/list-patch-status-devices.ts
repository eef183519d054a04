import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isAssignedPatch } from '../../../domain/patching/effective-pm-groups.ts'
import { containing } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Int32, pagedResultOf, type Static, Type, text, Uuid } from '../../../platform/schema.ts'
import { hasScanStatus, scanStatus } from './queries.ts'
import { PatchStatusDevice } from './schemas.ts'

const Query = closed({
  ...paging,
  lastSeenWithinDays: Type.Optional({
    ...Int32,
    minimum: 0,
    examples: [30],
    description: 'Only computers that contacted the server within so many days',
  }),
  domain: Type.Optional(text(255, 'corp.example.org', 'Only computers of this domain')),
  hostnameContains: Type.Optional(text(255, 'pc-00', 'Only computers with this in their name')),
  groupId: Type.Optional({ ...Uuid, description: 'Only computers that are themselves in this group' }),
  IsEmpty: Type.Optional(Type.Boolean({ examples: [false], description: 'Accepted and without effect' })),
  patchId: Type.Optional({ ...Int32, examples: [17], description: 'Only this patch' }),
  qNumber: Type.Optional(text(255, 'KB5034441', 'Only patches of this number')),
  patchName: Type.Optional(text(255, 'openssl', 'Only patches with this in their name')),
  scanStatus: Type.Optional(text(255, 'Missing', 'Missing or Installed')),
})

export const listPatchStatusDevices = operation({
  id: 'listPatchStatusDevices',
  route: 'GET /api/computer/patch-status',
  summary: 'List on which computers a patch is missing or installed',
  description: 'One item for each computer, patch and product that a scan found. Without a patch, of all patches.',
  role: 'computer.read',
  query: Query,
  returns: ok(pagedResultOf(PatchStatusDevice)),
  handle(call) {
    const { query, db } = call
    const matching = matchingRows(db, query)
    return pageOf(
      call,
      deviceRows(db),
      { columns: ['patchId', 'productId', 'clientId'] },
      { query: matching, once: false },
    )
  },
})

const row = {
  computer: 'computer_patches.computer_id',
  patch: 'computer_patches.patch_id',
  product: 'computer_patches.product_id',
}

function deviceRows(db: Database) {
  return db
    .selectFrom('computer_patches')
    .innerJoin('computers', 'computers.id', 'computer_patches.computer_id')
    .innerJoin('patch_scans', 'patch_scans.computer_id', 'computer_patches.computer_id')
    .innerJoin('patches', 'patches.id', 'computer_patches.patch_id')
    .innerJoin('patch_products', 'patch_products.id', 'computer_patches.product_id')
    .innerJoin('patch_links', (join) =>
      join
        .onRef('patch_links.patch_id', '=', 'computer_patches.patch_id')
        .onRef('patch_links.product_id', '=', 'computer_patches.product_id'),
    )
    .select([
      'computer_patches.patch_id as id',
      'computer_patches.computer_id as clientId',
      'computers.name as hostname',
      'computers.domain',
      'patch_scans.scanned_at as lastScanDate',
      scanStatus.as('scanStatus'),
      sql<string>`case when patch_links.approved_at is null then 'NotApproved' else 'Approved' end`.as('patchStatus'),
      isAssignedPatch(row).as('isAssigned'),
      'computer_patches.installed_at as installedDate',
      'patches.q_number as qNumber',
      'patches.name as patchName',
      'patch_products.name as productName',
      'computer_patches.patch_id as patchId',
      'patches.uid as patchUid',
      'computer_patches.product_id as productId',
    ])
}

function matchingRows(db: Database, query: Static<typeof Query>) {
  const { lastSeenWithinDays, domain, hostnameContains, groupId, patchId, qNumber, patchName } = query
  let found = db
    .selectFrom('computer_patches')
    .select(['patch_id as patchId', 'product_id as productId', 'computer_id as clientId'])
  if (patchId !== undefined) found = found.where('patch_id', '=', patchId)
  if (query.scanStatus) found = found.where(hasScanStatus(query.scanStatus))
  if (qNumber)
    found = found.where(
      'patch_id',
      'in',
      sql<number>`(select id from patches where lower(q_number) = lower(${qNumber}))`,
    )
  if (patchName)
    found = found.where(
      'patch_id',
      'in',
      sql<number>`(select id from patches where name ilike ${containing(patchName)})`,
    )
  const computers = (condition: ReturnType<typeof sql>) => found.where('computer_id', 'in', sql<number>`(${condition})`)
  if (domain) found = computers(sql`select id from computers where lower(domain) = lower(${domain})`)
  if (hostnameContains)
    found = computers(sql`select id from computers where name ilike ${containing(hostnameContains)}`)
  if (groupId) found = computers(sql`select computer_id from group_computers where group_id = ${groupId}`)
  if (lastSeenWithinDays !== undefined)
    found = computers(sql`
      select computer_id from computer_contacts where last_seen_at >= now() - make_interval(days => ${lastSeenWithinDays})`)
  return found
}

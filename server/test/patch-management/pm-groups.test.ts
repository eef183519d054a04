import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { addPmGroupPatches } from '../../src/features/patch-management/api/pm-groups/add-pm-group-patches.ts'
import { assignPmGroup } from '../../src/features/patch-management/api/pm-groups/assign-pm-group.ts'
import { createPmGroup } from '../../src/features/patch-management/api/pm-groups/create-pm-group.ts'
import { deletePmGroup } from '../../src/features/patch-management/api/pm-groups/delete-pm-group.ts'
import { getPmGroup } from '../../src/features/patch-management/api/pm-groups/get-pm-group.ts'
import { listPatchPmGroups } from '../../src/features/patch-management/api/pm-groups/list-patch-pm-groups.ts'
import { listPmGroupAssignments } from '../../src/features/patch-management/api/pm-groups/list-pm-group-assignments.ts'
import { listPmGroupPatches } from '../../src/features/patch-management/api/pm-groups/list-pm-group-patches.ts'
import { listPmGroups } from '../../src/features/patch-management/api/pm-groups/list-pm-groups.ts'
import { removePmGroupAssignment } from '../../src/features/patch-management/api/pm-groups/remove-pm-group-assignment.ts'
import { removePmGroupPatch } from '../../src/features/patch-management/api/pm-groups/remove-pm-group-patch.ts'
import { searchPmGroupPatches } from '../../src/features/patch-management/api/pm-groups/search-pm-group-patches.ts'
import { searchPmGroups } from '../../src/features/patch-management/api/pm-groups/search-pm-groups.ts'
import { updatePmGroup } from '../../src/features/patch-management/api/pm-groups/update-pm-group.ts'
import { fingerprints } from '../world/tables.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, db, given } = await openPatchWorld()

const unknownId = 2_000_000_000

async function listPatchKeys(id: number) {
  const { body } = await as('pm.read').call(listPmGroupPatches, { params: { id } })
  return body.items.map(({ patchId, productId }) => [patchId, productId])
}

test('a PM group is created, read, renamed and deleted', async () => {
  const created = await as('pm.write').call(createPmGroup, { body: { name: 'Desks', category: 'ServicePack' } })
  const { id } = created.body
  const renamed = await as('pm.write').call(updatePmGroup, {
    params: { id },
    body: { name: 'desks', description: 'All' },
  })
  const read = await as('pm.read').call(getPmGroup, { params: { id } })
  const deleted = await as('pm.write').call(deletePmGroup, { params: { id } })

  expect(created.status).toBe(201)
  expect(renamed.body).toMatchObject({ name: 'desks', description: 'All', category: 'ServicePack' })
  expect(read.body).toEqual(renamed.body)
  expect(deleted.status).toBe(204)
  expect(await as('pm.read').call(getPmGroup, { params: { id } })).toMatchObject({
    status: 404,
    problem: 'PmGroupNotFound',
  })
})

test('two PM groups cannot have the same name, regardless of case', async () => {
  await given.pmGroup({ name: 'Taken' })
  const other = await given.pmGroup()
  const before = await fingerprints(db)

  const refused = [
    await as('pm.write').call(createPmGroup, { body: { name: 'TAKEN' } }),
    await as('pm.write').call(updatePmGroup, { params: { id: other.id }, body: { name: 'taken' } }),
  ]

  for (const one of refused) expect(one).toMatchObject({ status: 409, problem: 'DuplicateName' })
  expect(await fingerprints(db)).toEqual(before)
})

test('updating a PM group refuses an empty change and a blank name', async () => {
  const { id } = await given.pmGroup()
  const before = await fingerprints(db)

  for (const body of [{}, { name: null }, { name: ' ' }]) {
    const refused = await as('pm.write').call(updatePmGroup, { params: { id }, body })
    expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  }
  expect(await fingerprints(db)).toEqual(before)
})

test('PM groups are found by a part of their texts, their category, a patch and an assigned group', async () => {
  const patch = await given.patch({ is_service_pack: true })
  const group = await given.group()
  const { id } = await given.pmGroup({ name: 'Unlikely 50% group', category: 'ServicePack', patches: [patch] })
  await as('pm.write').call(updatePmGroup, { params: { id }, body: { description: 'For the harbour' } })
  await given.pmAssignment({ id }, group)
  await given.pmGroup({ name: 'Unlikely 500 group' })
  const found = (items: { id: number }[]) => items.map((item) => item.id)

  const list = await as('pm.read').call(listPmGroups, { query: { nameContains: '50% G' } })
  const byCategory = await as('pm.read').call(listPmGroups, {
    query: { nameContains: 'unlikely', category: 'ServicePack' },
  })

  expect(found(list.body.items)).toEqual([id])
  expect(found(byCategory.body.items)).toEqual([id])
  for (const body of [{ name: '50%' }, { description: 'HARBOUR' }, { patchId: patch.id }, { treeId: group.id }]) {
    const searched = await as('pm.read').call(searchPmGroups, { body })
    expect(found(searched.body.items)).toEqual([id])
  }
})

test('adding a patch to a PM group for one product answers 201, and adding it again answers 200 and changes nothing', async () => {
  const [one, other] = [await given.product(), await given.product()]
  const patch = await given.patch({ products: [one, other], linkItems: 2 })
  const { id } = await given.pmGroup()
  const call = () =>
    as('pm.write').call(addPmGroupPatches, { params: { id }, body: { patchId: patch.id, productId: one.id } })

  const [first, second] = [await call(), await call()]

  const sizes = { pmGroupId: id, productId: one.id, patchCount: 1, linkItemsTotal: 2 }
  expect(first).toMatchObject({ status: 201, body: { ...sizes, addedCount: 1 } })
  expect(second).toMatchObject({ status: 200, body: { ...sizes, addedCount: 0 } })
  expect(await listPatchKeys(id)).toEqual([[patch.id, one.id]])
  const { body } = await as('pm.read').call(listPatchPmGroups, { params: { patchId: patch.id } })
  expect(body.items).toMatchObject([{ pmGroupId: id, productId: one.id, productName: one.name }])
})

test('adding patches to a PM group without a product lists the products and adds nothing', async () => {
  const product = await given.product()
  const patch = await given.patch({ products: [product], linkItems: 4 })
  const { id } = await given.pmGroup()
  const before = await fingerprints(db)

  const refused = await as('pm.write').call(addPmGroupPatches, { params: { id }, body: { patchIds: [patch.id] } })
  const withNull = await as('pm.write').call(addPmGroupPatches, {
    params: { id },
    body: { patchIds: [patch.id], productId: null },
  })
  const withNothing = await as('pm.write').call(addPmGroupPatches, { params: { id }, body: {} })

  for (const answer of [refused, withNull])
    expect(answer).toMatchObject({
      status: 400,
      problem: 'ProductScopeRequired',
      raw: { products: [{ productId: product.id, productName: product.name, linkItems: 4 }] },
    })
  expect(withNothing).toMatchObject({ status: 400, problem: 'ProductScopeRequired', raw: { products: [] } })
  expect(await fingerprints(db)).toEqual(before)
})

test('if one patch cannot be added to a PM group, none is added', async () => {
  const product = await given.product()
  const patch = await given.patch({ products: [product] })
  const elsewhere = await given.patch()
  const servicePack = await given.patch({ products: [product], is_service_pack: true })
  const { id } = await given.pmGroup()
  const before = await fingerprints(db)
  const add = (body: object, params = { id }) => as('pm.write').call(addPmGroupPatches, { params, body })
  const productId = product.id

  expect(await add({ patchIds: [patch.id, unknownId], productId })).toMatchObject({
    status: 404,
    problem: 'PatchNotFound',
  })
  expect(await add({ patchIds: [patch.id, unknownId] })).toMatchObject({ status: 404, problem: 'PatchNotFound' })
  expect(await add({ patchIds: [patch.id, elsewhere.id], productId })).toMatchObject({
    status: 404,
    problem: 'PatchProductNotFound',
  })
  expect(await add({ patchIds: [patch.id, servicePack.id], productId })).toMatchObject({
    status: 409,
    problem: 'CategoryMismatch',
  })
  expect(await add({ productId })).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  expect(await add({ patchIds: [patch.id], productId }, { id: unknownId })).toMatchObject({
    status: 404,
    problem: 'PmGroupNotFound',
  })
  expect(await fingerprints(db)).toEqual(before)
})

test('a patch is removed from a PM group for one product or for all, and removing it again answers 404', async () => {
  const [first, second, third] = [await given.product(), await given.product(), await given.product()]
  const products = [first, second, third]
  const patch = await given.patch({ products })
  const { id } = await given.pmGroup({ patches: products.map((product) => ({ id: patch.id, productId: product.id })) })
  const params = { id, patchId: patch.id }

  await as('pm.write').call(removePmGroupPatch, { params, query: { productId: first.id } })
  const left = await listPatchKeys(id)
  await as('pm.write').call(removePmGroupPatch, { params })
  const again = await as('pm.write').call(removePmGroupPatch, { params })

  expect(left).toEqual([
    [patch.id, second.id],
    [patch.id, third.id],
  ])
  expect(await listPatchKeys(id)).toEqual([])
  expect(again).toMatchObject({ status: 404, problem: 'PatchNotInPmGroup' })
})

test('a search in a PM group applies product criteria to the product for which the group contains the patch', async () => {
  const [one, other] = [await given.product({ name: 'Kiosk 1' }), await given.product({ name: 'Kiosk 2' })]
  const patch = await given.patch({ products: [one, other] })
  await as('pm.approve').call(approvePatch, { params: { patchId: patch.id }, query: { productId: one.id } })
  const { id } = await given.pmGroup({ patches: [{ id: patch.id, productId: other.id }] })
  const search = async (body: object) =>
    (await as('pm.read').call(searchPmGroupPatches, { params: { id }, body })).body.totalCount

  expect(await search({ productName: 'kiosk 2' })).toBe(1)
  expect(await search({ productName: 'kiosk 1' })).toBe(0)
  expect(await search({ isApproved: true })).toBe(0)
  expect(await search({ isApproved: false, qNumber: patch.key.slice(2, -2).toUpperCase() })).toBe(1)
})

test('assigning a PM group again answers 200 and changes whether it is a test', async () => {
  const { id } = await given.pmGroup()
  const group = await given.group()
  const assign = (isTestAssignment: boolean) =>
    as('pm.write').call(assignPmGroup, { params: { id }, body: { treeId: group.id, isTestAssignment } })

  const first = await assign(false)
  const second = await assign(true)
  const listed = await as('pm.read').call(listPmGroupAssignments, { params: { id } })
  const removed = await as('pm.write').call(removePmGroupAssignment, { params: { id, treeId: group.id } })

  expect(first).toMatchObject({ status: 201, body: { treeId: group.id, isTestAssignment: false, isEmergency: false } })
  expect(second).toMatchObject({ status: 200, body: { groupPath: group.path, isTestAssignment: true } })
  expect(listed.body.items).toEqual([second.body])
  expect(removed.status).toBe(204)
  expect(await as('pm.write').call(removePmGroupAssignment, { params: { id, treeId: group.id } })).toMatchObject({
    status: 404,
    problem: 'PmGroupNotAssigned',
  })
})

test('a PM group cannot be assigned to unknown groups, special groups and user groups', async () => {
  const { id } = await given.pmGroup()
  const special = await given.group({ kind: 'EOL' })
  const users = await given.group({ tree: 'UserGroups' })
  const before = await fingerprints(db)
  const assign = (treeId: string, params = { id }) => as('pm.write').call(assignPmGroup, { params, body: { treeId } })

  expect(await assign(randomUUID())).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  expect(await assign(special.id)).toMatchObject({ status: 409, problem: 'SpecialGroup' })
  expect(await assign(users.id)).toMatchObject({ status: 409, problem: 'NotEditableTree' })
  expect(await assign(special.id, { id: unknownId })).toMatchObject({ status: 404, problem: 'PmGroupNotFound' })
  expect(await fingerprints(db)).toEqual(before)
})

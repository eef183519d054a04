import { expect, test } from 'vitest'
import { operations } from '../../src/features/index.ts'
import { getAdminFeatures } from '../../src/features/principals/api/get-admin-features.ts'
import { listRoleOperations } from '../../src/features/principals/api/list-role-operations.ts'
import { listRoles } from '../../src/features/principals/api/list-roles.ts'
import { openWorld } from '../world/open-world.ts'

const { as } = await openWorld()

test('the fifteen roles of the contract exist, and those of readers, each with a description', async () => {
  const { body } = await as('admin.manage').call(listRoles)

  expect(body.map(({ role }) => role)).toEqual([
    'computer.read',
    'computer.write',
    'group.read',
    'group.write',
    'package.read',
    'package.write',
    'activation.execute',
    'reinstall.execute',
    'scan.execute',
    'reboot.execute',
    'pm.read',
    'pm.write',
    'pm.approve',
    'pm.execute',
    'admin.manage',
    'metrics.read',
    'audit.read',
  ])
  expect(body.every(({ description }) => description.length > 10)).toBe(true)
})

test('the list of operations by role contains every operation of the API under each role that suffices', async () => {
  const { body } = await as('admin.manage').call(listRoleOperations)

  const { body: known } = await as('admin.manage').call(listRoles)
  expect(body.map(({ role }) => role)).toEqual([...known.map(({ role }) => role), 'any valid token', 'no token'])
  expect(body.find(({ role }) => role === 'reboot.execute')?.operations).toContainEqual({
    operationId: 'rebootComputer',
    method: 'POST',
    path: '/api/computer/{id}/reboot',
    summary: expect.any(String),
  })
  const listed = body.flatMap(({ operations }) => operations.map(({ operationId }) => operationId))
  const expected = operations.flatMap(({ id, readerRole }) => (readerRole ? [id, id] : [id]))
  expect(listed.sort()).toEqual(expected.sort())
})

test('without an identity provider, only local administrators can sign in', async () => {
  const { body } = await as('admin.manage').call(getAdminFeatures)

  expect(body).toEqual({ idpEnabled: false, localAdminEnabled: true, oidcLoginProviders: [] })
})
